package dev.understudy.relay.config;

import dev.understudy.relay.tls.CallerTlsConfig;
import dev.understudy.relay.tls.KeyFiles;
import dev.understudy.relay.tls.OriginateConfig;
import dev.understudy.relay.tls.TerminateConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How both proxies are told of TLS. */
public final class TlsSection {
    private static final String HTTP = "http/1.1";
    private static final int LONGEST_NAME = 255;
    private static final Value<String> PROTOCOL = new Value<>("http/1.1, h2, …", TlsSection::protocol, HTTP);
    private static final Value<Path> FILE = new Value<>("a file", Path::of, Path.of("placeholder"));

    private TlsSection() {}

    static @Nullable TerminateConfig terminate(Section section) {
        List<KeyFiles> keys = certificates(section);
        return keys.isEmpty() ? null : new TerminateConfig(keys, protocols(section));
    }

    /** Reads how a control port speaks TLS, and whom it asks for a certificate; null after a problem. */
    public static @Nullable TerminateConfig control(Section section) {
        Path clients = section.has("clients") ? section.required("clients", FILE) : null;
        List<KeyFiles> keys = certificates(section);
        return keys.isEmpty() ? null : new TerminateConfig(keys, List.of(HTTP), clients);
    }

    private static List<KeyFiles> certificates(Section section) {
        List<KeyFiles> keys =
                section.sections("certificates").stream().map(TlsSection::keys).toList();
        if (keys.isEmpty()) {
            section.problem("certificates: missing (expected: a list of certificates with their keys)");
        }
        return keys;
    }

    private static KeyFiles keys(Section section) {
        return new KeyFiles(section.required("certificate", FILE), section.required("key", FILE));
    }

    /** Reads how somebody is to be spoken to in TLS. */
    public static OriginateConfig originate(Section section) {
        CallerTlsConfig caller = caller(section);
        return new OriginateConfig(
                section.required("server-name", Value.text()), caller.authorities(), caller.own(), protocols(section));
    }

    /** Reads whom a caller trusts, and what it identifies itself with: {@code ca}, {@code certificate}, {@code key}. */
    public static CallerTlsConfig caller(Section section) {
        boolean own = section.has("certificate") || section.has("key");
        return new CallerTlsConfig(section.has("ca") ? section.required("ca", FILE) : null, own ? keys(section) : null);
    }

    /** One or several, in order of preference; "" for none. */
    private static List<String> protocols(Section section) {
        if (!section.has("alpn")) {
            return List.of(HTTP);
        }
        return section.listed("alpn", PROTOCOL).stream()
                .filter(protocol -> !protocol.isEmpty())
                .toList();
    }

    private static String protocol(String name) {
        if (name.equals("h2c") || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("not agreed on by TLS");
        }
        return name;
    }
}
