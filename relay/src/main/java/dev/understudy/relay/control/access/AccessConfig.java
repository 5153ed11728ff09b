package dev.understudy.relay.control.access;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may call a control port. Where it names nobody, tokens are generated at the start.
 *
 * @param tokens of different names, each secret once
 * @param anonymous what callers without a token may do; null if they are refused
 */
public record AccessConfig(
        List<AccessToken> tokens, @Nullable Role anonymous) {
    private static final int MOST_TOKENS = 256;

    public AccessConfig {
        tokens = List.copyOf(tokens);
        if (tokens.size() > MOST_TOKENS) {
            throw new IllegalArgumentException("tokens: " + tokens.size() + " (expected: at most " + MOST_TOKENS + ")");
        }
        Set<String> names = new HashSet<>();
        Set<String> secrets = new HashSet<>();
        for (AccessToken token : tokens) {
            if (!names.add(token.name())) {
                throw new IllegalArgumentException("tokens: two have the name " + token.name());
            }
            if (!secrets.add(token.secret())) {
                throw new IllegalArgumentException("tokens: that of " + token.name() + " is another one's, too");
            }
        }
    }

    /** One token for everything; {@code ""} has tokens generated. */
    public static AccessConfig of(String token) {
        return new AccessConfig(
                token.isEmpty() ? List.of() : List.of(new AccessToken("admin", Role.ADMIN, token)), null);
    }

    /** Everybody who can reach the port may do everything; for ports on loopback. */
    public static AccessConfig open() {
        return new AccessConfig(List.of(), Role.ADMIN);
    }

    /** Whether tokens have to be generated. */
    public boolean isEmpty() {
        return tokens.isEmpty() && anonymous == null;
    }

    /**
     * Reads {@code token}, {@code agent-token}, {@code tokens} and {@code anonymous} of the section {@code control}.
     */
    public static AccessConfig read(Section section) {
        List<AccessToken> tokens = new ArrayList<>();
        add(tokens, section, "token", Role.ADMIN);
        add(tokens, section, "agent-token", Role.AGENT);
        for (Section each : section.sections("tokens")) {
            tokens.addAll(each.build(
                    named -> List.of(new AccessToken(
                            named.required("name", Value.text()),
                            named.required("role", Value.choice(Role.class)),
                            named.required("token", Value.text()))),
                    List.of()));
        }
        return new AccessConfig(tokens, anonymous(section));
    }

    private static void add(List<AccessToken> tokens, Section section, String key, Role role) {
        String secret = section.optional(key, Value.anyText(), "");
        if (!secret.isEmpty()) {
            tokens.add(new AccessToken(role.word(), role, secret));
        }
    }

    private static @Nullable Role anonymous(Section section) {
        Anonymous allowed = section.optional("anonymous", Value.choice(Anonymous.class), Anonymous.NONE);
        return allowed == Anonymous.NONE ? null : Role.valueOf(allowed.name());
    }

    /** What callers without a token may do. */
    private enum Anonymous {
        NONE,
        AGENT,
        READ,
        OPERATE,
        ADMIN
    }
}
