package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.value.MixedText;
import dev.understudy.divergence.content.Cookie;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.content.TimeStamps;
import dev.understudy.divergence.identity.IdentityDraft;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares the cookies that two replies set, by name, domain and path, and learns session ids from them. */
final class CookieComparison {
    private static final String PATH = "header.Set-Cookie";

    private final IdentityDraft identities;
    private final ValueNoise noise;
    private final Differences differences;

    CookieComparison(IdentityDraft identities, ValueNoise noise, Differences differences) {
        this.identities = identities;
        this.noise = noise;
        this.differences = differences;
    }

    void compare(List<String> production, List<String> debug) {
        if (production.equals(debug)) {
            production.forEach(this::shared);
            return;
        }
        Map<String, Cookie> ours = byKey(production);
        Map<String, Cookie> theirs = byKey(debug);
        if (ours == null || theirs == null) {
            differences.real(PATH, Difference.Type.VALUE, String.join(" | ", production), String.join(" | ", debug));
            return;
        }
        boolean found = false;
        for (Map.Entry<String, Cookie> entry : ours.entrySet()) {
            Cookie other = theirs.remove(entry.getKey());
            String path = PATH + "[" + entry.getValue().name() + "]";
            if (other == null) {
                differences.real(path, Difference.Type.MISSING, entry.getValue().value(), null);
                found = true;
            } else {
                found |= value(path, entry.getValue(), other);
                found |= attributes(path, entry.getValue(), other);
            }
        }
        for (Cookie extra : theirs.values()) {
            differences.real(PATH + "[" + extra.name() + "]", Difference.Type.EXTRA, null, extra.value());
            found = true;
        }
        if (!found) { // the same cookies, written in another way or order
            differences.noise(
                    PATH,
                    Difference.Type.ORDER,
                    String.join(" | ", production),
                    String.join(" | ", debug),
                    Noise.HEADER_FORM);
        }
    }

    private void shared(String header) {
        Cookie cookie = Cookie.of(header);
        if (cookie != null) {
            identities.sharedAt(PATH + "[" + cookie.name() + "]", cookie.value());
        }
    }

    private static @Nullable Map<String, Cookie> byKey(List<String> headers) {
        Map<String, Cookie> cookies = new LinkedHashMap<>();
        for (String header : headers) {
            Cookie cookie = Cookie.of(header);
            if (cookie == null) {
                return null;
            }
            Map<String, String> attributes = cookie.attributes();
            String key = cookie.name() + '\n' + attributes.get("domain") + '\n' + attributes.get("path");
            if (cookies.put(key, cookie) != null) {
                return null;
            }
        }
        return cookies;
    }

    private boolean value(String path, Cookie production, Cookie debug) {
        String ours = production.value();
        String theirs = debug.value();
        if (ours.equals(theirs)) {
            identities.sharedAt(path, ours);
            return false;
        }
        Noise why = noise.ofText(ours, theirs);
        if (why == null && noise.endAlike(ours, theirs) && identities.learnCookie(path, ours, theirs)) {
            why = Noise.IDENTITY;
        }
        if (why == null) {
            identities.replaceCookie(
                    path, ours, theirs); // a difference, but later requests should carry what debug knows
        }
        if (why != null || !new MixedText(identities, noise, differences).compare(path, ours, theirs)) {
            differences.add(path, Difference.Type.VALUE, ours, theirs, why);
        }
        return true;
    }

    private boolean attributes(String path, Cookie production, Cookie debug) {
        Set<String> names = new TreeSet<>(production.attributes().keySet());
        names.addAll(debug.attributes().keySet());
        boolean found = false;
        for (String name : names) {
            String ours = production.attributes().get(name);
            String theirs = debug.attributes().get(name);
            if (ours != null && ours.equals(theirs)) {
                continue;
            }
            found = true;
            Difference.Type type = ours == null
                    ? Difference.Type.EXTRA
                    : theirs == null ? Difference.Type.MISSING : Difference.Type.VALUE;
            boolean sameAge = name.equals("expires") && ours != null && theirs != null && expire(production, debug);
            differences.add(path + "." + name, type, ours, theirs, sameAge ? Noise.EXCHANGE_TIME : null);
        }
        return found;
    }

    /** Whether both expire the same time after their own exchange, as Max-Age says. */
    private boolean expire(Cookie production, Cookie debug) {
        String age = production.attributes().get("max-age");
        Instant ours = TimeStamps.httpDate(production.attributes().getOrDefault("expires", ""));
        Instant theirs = TimeStamps.httpDate(debug.attributes().getOrDefault("expires", ""));
        if (age == null || !age.equals(debug.attributes().get("max-age")) || ours == null || theirs == null) {
            return false;
        }
        if (age.length() > 9 || age.isEmpty() || !age.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return false;
        }
        long seconds = Long.parseLong(age);
        TextSpan here = noise.productionSpan();
        TextSpan there = noise.debugSpan();
        return here.contains(ours.minusSeconds(seconds)) && there.contains(theirs.minusSeconds(seconds));
    }
}
