package dev.understudy.aggregator.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** An authority's certificate in the shapes in which clients want it. */
final class Exports {
    /** Java wants a password before it believes a truststore; there is nothing secret in it. */
    static final String PASSWORD = "changeit";

    private Exports() {}

    static byte[] pem(X509Certificate certificate) throws GeneralSecurityException {
        String encoded = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
        return ("-----BEGIN CERTIFICATE-----\n" + encoded + "\n-----END CERTIFICATE-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** PKCS #12 with this certificate as the only one that is trusted. */
    static byte[] truststore(X509Certificate certificate) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("understudy", certificate);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.store(out, PASSWORD.toCharArray());
        return out.toByteArray();
    }
}
