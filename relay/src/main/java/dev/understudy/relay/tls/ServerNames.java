package dev.understudy.relay.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Host names that a server answers to, as certificates have them (RFC 6125) and clients ask for them in their handshake
 * (SNI, RFC 6066).
 *
 * @param names {@code *.} at the front stands for one label; in any case
 */
public record ServerNames(List<String> names) {
    private static final Integer DNS = 2;

    public ServerNames {
        names = names.stream().map(ServerNames::exactly).toList();
    }

    /** A certificate's subject alternative names of type DNS. */
    static ServerNames of(X509Certificate certificate) throws CertificateParsingException {
        List<String> names = new ArrayList<>();
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        if (alternatives != null) {
            for (List<?> each : alternatives) {
                if (DNS.equals(each.get(0))) {
                    names.add((String) each.get(1));
                }
            }
        }
        return new ServerNames(names);
    }

    /** Whether a client that asks for {@code host} means this server. */
    boolean match(String host) {
        return names.contains(exactly(host)) || names.contains(withAnyLabel(host));
    }

    /** The name that means {@code host} and no other. */
    public static String exactly(String host) {
        return host.toLowerCase(Locale.ROOT);
    }

    /** The name that means {@code host} and all others beside it: its first label may be any. */
    public static String withAnyLabel(String host) {
        String wanted = exactly(host);
        int dot = wanted.indexOf('.');
        return dot < 0 ? wanted : "*" + wanted.substring(dot);
    }
}
