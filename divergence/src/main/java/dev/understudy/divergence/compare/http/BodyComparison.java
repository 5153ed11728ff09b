package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.TextRange;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.ValueOrigin;
import dev.understudy.divergence.compare.body.PrefixChecksums;
import dev.understudy.divergence.compare.body.Said;
import dev.understudy.divergence.compare.body.Unheld;
import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.content.TimeStamps;
import dev.understudy.divergence.content.coding.ContentCoding;
import dev.understudy.divergence.content.coding.DecodedContent;
import dev.understudy.divergence.content.coding.DecodedContent.Result;
import dev.understudy.divergence.identity.IdentityDraft;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Compares two bodies: by bytes first; if those differ, by their contents, once these are out of their encodings;
 * otherwise the difference in bytes stands.
 */
final class BodyComparison {
    private static final String PATH = "body";
    /** Where a value stands of which nobody knows what is around it, so that masking takes it for a secret. */
    private static final TextRange UNKNOWN = new TextRange("secret='?'", 8, 9);

    private static final int MAX_SHARED = 256 * 1024;

    private final ComparisonRules rules;
    private final ProtobufBodies protobuf;
    private final IdentityDraft identities;
    private final ValueNoise noise;
    private final Differences differences;
    private @Nullable NotCompared unread;

    BodyComparison(
            ComparisonRules rules,
            ProtobufBodies protobuf,
            IdentityDraft identities,
            ValueNoise noise,
            Differences differences) {
        this.protobuf = protobuf;
        this.rules = rules;
        this.identities = identities;
        this.noise = noise;
        this.differences = differences;
    }

    void compare(HttpReply production, HttpReply debug) {
        if (production.hasBodyOf(debug)) {
            if (production.body().length <= MAX_SHARED) {
                identities.shared(production.body());
            }
            if (identities.wantsEqual()) {
                equal(production);
            }
            return;
        }
        differing(production, debug);
        if (differences.isEmpty()) { // never SAME nor EQUIVALENT without a reason
            bytes(production, debug);
        }
    }

    /** Looks for identities that both sides show alike. What it reports counts for nothing. */
    private void equal(HttpReply reply) {
        Said said = said(reply);
        if (said != null) {
            said.values().stream()
                    .filter(value -> value.quoted() && value.line() == 0)
                    .forEach(value -> identities.sharedAt(unheld(value), value.text()));
            return;
        }
        DecodedContent content = decoded(coding(reply), reply);
        if (reply.held() && content.isRead()) {
            equal(reply, content.bytes());
        }
    }

    private void equal(HttpReply reply, byte[] content) {
        if (content.length > 0) {
            MediaType type = type(reply);
            comparison(new Differences(rules)).compare(type, type, content, content);
        }
    }

    private ContentComparison comparison(Differences found) {
        return new ContentComparison(PATH, rules, protobuf, identities, noise, found);
    }

    private static @Nullable MediaType type(HttpReply reply) {
        return MediaType.of(reply.head().first("Content-Type"));
    }

    private static String unheld(Said.Value value) {
        return PATH + ".…." + value.place();
    }

    /** Why the bodies couldn't be compared in full; null if they were. */
    @Nullable
    NotCompared unread() {
        return unread;
    }

    private void differing(HttpReply production, HttpReply debug) {
        ContentCoding coding = coding(production);
        ContentCoding other = coding(debug);
        boolean empty = production.bodyLength() == 0 || debug.bodyLength() == 0;
        if (!empty && !(coding.isNone() && other.isNone())) {
            coded(production, coding, debug, other);
        } else if (production.held() && debug.held()) {
            content(production, debug, production.body(), debug.body());
        } else if (!streamed(said(production), said(debug), production, debug)) {
            bytes(production, debug);
        }
    }

    private void coded(HttpReply production, ContentCoding coding, HttpReply debug, ContentCoding other) {
        DecodedContent mine = decoded(coding, production);
        DecodedContent its = decoded(other, debug);
        byte[] ours = mine.bytes();
        byte[] theirs = its.bytes();
        if (oneIsDamaged(mine, its)) {
            differences.real(
                    PATH, Difference.Type.ENCODING, described(coding, mine, production), described(other, its, debug));
        } else if (!mine.isRead() || !its.isRead()) {
            boolean tooLarge = mine.result() == Result.TOO_LARGE || its.result() == Result.TOO_LARGE;
            unread = tooLarge ? NotCompared.TOO_LARGE : NotCompared.ENCODING;
            differences.noise(
                    PATH,
                    Difference.Type.ENCODING,
                    described(coding, mine, production),
                    described(other, its, debug),
                    Noise.UNREAD);
        } else if (Arrays.equals(ours, theirs)) {
            identities.shared(ours);
            if (identities.wantsEqual()) {
                equal(production, ours);
            }
            differences.noise(
                    PATH,
                    Difference.Type.ENCODING,
                    size(production.bodyLength()),
                    size(debug.bodyLength()),
                    Noise.COMPRESSION);
        } else {
            content(production, debug, ours, theirs);
        }
    }

    /** A client can read one of them, and not the other. */
    private static boolean oneIsDamaged(DecodedContent mine, DecodedContent its) {
        return (mine.isRead() && its.result() == Result.DAMAGED) || (its.isRead() && mine.result() == Result.DAMAGED);
    }

    private DecodedContent decoded(ContentCoding coding, HttpReply reply) {
        if (coding.isKnown() && !reply.held()) {
            return DecodedContent.failed(Result.TOO_LARGE);
        }
        return coding.decode(reply.body(), rules.maxDecoded());
    }

    private static String described(ContentCoding coding, DecodedContent content, HttpReply reply) {
        String how = coding.isNone() ? "no encoding" : coding.toString();
        String why = switch (content.result()) {
            case READ -> "";
            case UNKNOWN -> ", which isn't read";
            case DAMAGED -> ", damaged or cut off";
            case TOO_LARGE -> ", too large";
        };
        return how + why + ": " + described(reply);
    }

    private static @Nullable Said said(HttpReply reply) {
        Unheld unheld = reply.unheld();
        return unheld == null ? null : unheld.said();
    }

    /** Two texts that aren't held, if they say the same but for values that may differ. */
    private boolean streamed(@Nullable Said ours, @Nullable Said theirs, HttpReply production, HttpReply debug) {
        MediaType type = type(production);
        if (ours == null
                || theirs == null
                || type == null
                || !type.equals(type(debug))
                || !Arrays.equals(ours.hash(), theirs.hash())
                || ours.values().size() != theirs.values().size()) {
            return false;
        }
        for (int i = 0; i < ours.values().size(); i++) {
            if (ours.values().get(i).at() != theirs.values().get(i).at()) {
                return false;
            }
        }
        for (int i = 0; i < ours.values().size(); i++) {
            Said.Value mine = ours.values().get(i);
            Said.Value other = theirs.values().get(i);
            if (!mine.text().equals(other.text())) {
                String where = mine.line() > 0 ? PATH + ":" + mine.line() : unheld(mine);
                boolean nameless = mine.line() > 0 && TimeStamps.stamp(mine.text()) == null;
                ValueOrigin outer = nameless
                        ? differences.enter(where.length(), UNKNOWN, UNKNOWN)
                        : differences.enter(where.length(), null, null);
                differences.add(where, Difference.Type.VALUE, mine.text(), other.text(), why(mine, other));
                differences.leave(outer);
            }
        }
        if (differences.isEmpty() && type.isJson()) {
            differences.noise(
                    PATH,
                    Difference.Type.ENCODING,
                    size(production.bodyLength()),
                    size(debug.bodyLength()),
                    Noise.CONTENT_FORM);
        }
        return true;
    }

    private @Nullable Noise why(Said.Value mine, Said.Value other) {
        if (mine.line() > 0) {
            return noise.ofText(mine.text(), other.text());
        }
        return mine.quoted()
                ? noise.ofTextAt(unheld(mine), mine.place(), mine.text(), other.text())
                : noise.ofNumber(mine.text(), other.text());
    }

    private static ContentCoding coding(HttpReply reply) {
        return ContentCoding.of(reply.head().all("Content-Encoding"));
    }

    private void content(HttpReply production, HttpReply debug, byte[] ours, byte[] theirs) {
        if (ours.length == 0 || theirs.length == 0) {
            differences.real(PATH, Difference.Type.LENGTH, size(ours.length), size(theirs.length));
            return;
        }
        if (!comparison(differences).compare(type(production), type(debug), ours, theirs)) {
            bytes(ours, theirs);
        }
    }

    /** Differing contents of which nothing more is known. */
    private void bytes(byte[] ours, byte[] theirs) {
        int at = Arrays.mismatch(ours, theirs);
        String where = at == Math.min(ours.length, theirs.length) ? "" : ", differs at byte " + at;
        differences.real(
                PATH,
                ours.length == theirs.length ? Difference.Type.VALUE : Difference.Type.LENGTH,
                described(ours.length, Sha256.of(ours)) + where,
                described(theirs.length, Sha256.of(theirs)) + where);
    }

    private void bytes(HttpReply production, HttpReply debug) {
        int at = Arrays.mismatch(production.body(), debug.body());
        boolean sameLength = production.bodyLength() == debug.bodyLength();
        boolean beyond = at < 0 || at == Math.min(production.body().length, debug.body().length);
        String where = beyond ? unheld(production, debug) : ", differs at byte " + at;
        differences.real(
                PATH,
                sameLength ? Difference.Type.VALUE : Difference.Type.LENGTH,
                described(production) + where,
                described(debug) + where);
    }

    /** As far as it is known where two bodies differ of which that isn't held. */
    private static String unheld(HttpReply production, HttpReply debug) {
        Unheld ours = production.unheld();
        Unheld theirs = debug.unheld();
        if (ours == null || theirs == null) {
            return "";
        }
        PrefixChecksums.Place place = ours.rungs().differs(theirs.rungs());
        String bytes = ", differs first between bytes " + place.from() + " and " + place.to();
        MediaType type = type(production);
        boolean lines = type != null
                && (type.isText() || type.isJson())
                && production.head().all("Content-Encoding").isEmpty();
        return lines ? bytes + ", lines " + place.firstLine() + " to " + place.lastLine() : bytes;
    }

    private static String described(HttpReply reply) {
        return described(reply.bodyLength(), reply.sha256());
    }

    private static String described(long length, byte[] hash) {
        String prefix = HexFormat.of().formatHex(hash, 0, Math.min(6, hash.length));
        return size(length) + ", sha256 " + prefix + "…";
    }

    static String size(long bytes) {
        return bytes + " bytes";
    }
}
