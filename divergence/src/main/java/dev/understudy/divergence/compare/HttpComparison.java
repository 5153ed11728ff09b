package dev.understudy.divergence.compare;

import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.util.List;

/**
 * Compares the replies of one exchange: status, headers, body, trailers, in full.
 *
 * <p>Keeps nothing between calls but identities; may be used by several threads at once.
 */
public final class HttpComparison {
    private final ComparisonRules rules;
    private final IdentityMap identities;

    public HttpComparison(ComparisonRules rules, IdentityMap identities) {
        this.rules = rules;
        this.identities = identities;
    }

    /**
     * What differs and whether it matters; identities are learned on the way. Never throws on what a JVM sent.
     *
     * <p>If one of the replies was cut off, what is there is compared: a difference in it makes the verdict
     * DIFFERENT, otherwise it is NOT_COMPARED.
     */
    public Verdict compare(HttpReply production, HttpReply debug) {
        try {
            return verdict(production, debug);
        } catch (RuntimeException | StackOverflowError e) {
            return Verdict.notCompared(NotCompared.INTERNAL);
        }
    }

    private Verdict verdict(HttpReply production, HttpReply debug) {
        ValueNoise noise = new ValueNoise(rules, identities, production.span(), debug.span());
        boolean complete = production.complete() && debug.complete();
        Differences start = new Differences(rules);
        Differences headers = new Differences(rules);
        Differences rest = new Differences(rules);
        status("", production.head(), debug.head(), start);
        interim(production.interim(), debug.interim(), noise, start);
        // first what identities are learned from, then the places where they may occur
        new CookieComparison(identities, noise, headers)
                .compare(production.head().all("Set-Cookie"), debug.head().all("Set-Cookie"));
        if (complete) {
            new BodyComparison(rules, identities, noise, rest).compare(production, debug);
        }
        headers("header.", side(production, complete), side(debug, complete), noise, headers);
        if (complete) {
            headers("trailer.", trailers(production), trailers(debug), noise, rest);
        }
        return Verdicts.of(complete, List.of(start, headers, rest), rules);
    }

    private static void status(String prefix, ReplyHead production, ReplyHead debug, Differences differences) {
        if (production.status() != debug.status()) {
            differences.real(
                    prefix + "status",
                    Difference.Type.STATUS,
                    Integer.toString(production.status()),
                    Integer.toString(debug.status()));
        } else if (!production.reason().equals(debug.reason())) {
            differences.real(prefix + "reason", Difference.Type.VALUE, production.reason(), debug.reason());
        }
        if (!production.version().equals(debug.version())) {
            differences.real(prefix + "version", Difference.Type.VALUE, production.version(), debug.version());
        }
    }

    private void interim(List<ReplyHead> ours, List<ReplyHead> theirs, ValueNoise noise, Differences differences) {
        if (ours.size() != theirs.size()) {
            differences.real("interim", Difference.Type.LENGTH, ours.size() + " replies", theirs.size() + " replies");
            return;
        }
        for (int i = 0; i < ours.size(); i++) {
            String prefix = "interim[" + i + "].";
            status(prefix, ours.get(i), theirs.get(i), differences);
            headers(
                    prefix + "header.",
                    new HeaderComparison.Side(ours.get(i).headers(), -1),
                    new HeaderComparison.Side(theirs.get(i).headers(), -1),
                    noise,
                    differences);
        }
    }

    private void headers(
            String prefix,
            HeaderComparison.Side production,
            HeaderComparison.Side debug,
            ValueNoise noise,
            Differences differences) {
        new HeaderComparison(rules, identities, noise, differences).compare(prefix, production, debug);
    }

    /** Of a reply cut off the true length of its body is unknown, so its Content-Length says nothing. */
    private static HeaderComparison.Side side(HttpReply reply, boolean complete) {
        List<Header> headers = reply.head().headers();
        if (!complete) {
            headers = reply.head().without("Content-Length").headers();
        }
        return new HeaderComparison.Side(headers, reply.bodyLength());
    }

    private static HeaderComparison.Side trailers(HttpReply reply) {
        return new HeaderComparison.Side(reply.trailers(), -1);
    }
}
