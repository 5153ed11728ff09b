package dev.understudy.relay.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * The host names that a certificate is made out to: its subject alternative names of type DNS (RFC 6125).
 *
 * @param names in lower case; {@code *.} at the front stands for one label
 */
record CertificateNames(List<String> names) {
    private static final Integer DNS = 2;

    static CertificateNames of(X509Certificate certificate) throws CertificateParsingException {
        List<String> names = new ArrayList<>();
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        if (alternatives != null) {
            for (List<?> each : alternatives) {
                if (DNS.equals(each.get(0))) {
                    names.add(((String) each.get(1)).toLowerCase(Locale.ROOT));
                }
            }
        }
        return new CertificateNames(List.copyOf(names));
    }

    boolean match(String host) {
        String wanted = host.toLowerCase(Locale.ROOT);
        int dot = wanted.indexOf('.');
        String anyLabel = dot < 0 ? wanted : "*" + wanted.substring(dot);
        return names.contains(wanted) || names.contains(anyLabel);
    }
}
