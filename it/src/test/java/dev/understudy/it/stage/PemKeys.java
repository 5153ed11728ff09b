package dev.understudy.it.stage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for {@code localhost} that vouches for itself, and its key, as files that any program reads. */
public final class PemKeys {
    private static final String PASSWORD = "changeit";

    private final Path certificate;
    private final Path key;
    private final KeyStore trusted = KeyStore.getInstance("PKCS12");

    private PemKeys(Path folder) throws Exception {
        Path file = folder.resolve("keys.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = List.of(
                keytool,
                "-genkeypair",
                "-alias",
                "own",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD);
        try (Child child = Child.start(folder.resolve("keytool.log"), command)) {
            if (child.exitCode(Duration.ofMinutes(1)) != 0) {
                throw new IllegalStateException(child.output());
            }
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        certificate = pem(
                folder.resolve("localhost.crt"),
                "CERTIFICATE",
                store.getCertificate("own").getEncoded());
        key = pem(
                folder.resolve("localhost.key"),
                "PRIVATE KEY",
                store.getKey("own", PASSWORD.toCharArray()).getEncoded());
        trusted.load(null, null);
        trusted.setCertificateEntry("own", store.getCertificate("own"));
    }

    /** Makes them by the JDK's keytool, in {@code folder}; everybody can read them. */
    public static PemKeys make(Path folder) throws Exception {
        return new PemKeys(folder);
    }

    private static Path pem(Path file, String what, byte[] encoded) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(encoded) + "\n-----END "
                        + what + "-----\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    public Path certificate() {
        return certificate;
    }

    public Path key() {
        return key;
    }

    /** For a client that trusts this certificate and no other. */
    public SSLContext trusting() throws GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
