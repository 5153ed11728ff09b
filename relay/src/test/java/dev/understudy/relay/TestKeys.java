package dev.understudy.relay;

import dev.understudy.relay.tls.KeyFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A self-signed certificate for a test, made by the JDK's keytool, as PEM files and as a key store. */
public final class TestKeys {
    private static final char[] PASSWORD = "changeit".toCharArray();

    public final KeyFiles files;
    private final KeyStore store = KeyStore.getInstance("PKCS12");

    private TestKeys(Path folder, String name, String algorithm) throws IOException, GeneralSecurityException {
        Path file = folder.resolve(name + ".p12");
        run(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "own",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:" + name,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                "changeit");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        files = new KeyFiles(
                pem(
                        folder.resolve(name + ".crt"),
                        "CERTIFICATE",
                        store.getCertificate("own").getEncoded()),
                pem(
                        folder.resolve(name + ".key"),
                        "PRIVATE KEY",
                        store.getKey("own", PASSWORD).getEncoded()));
    }

    public static TestKeys make(Path folder, String name, String algorithm)
            throws IOException, GeneralSecurityException {
        return new TestKeys(folder, name, algorithm);
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        byte[] said = process.getInputStream().readAllBytes();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        assertThat(process.exitValue())
                .as(new String(said, StandardCharsets.UTF_8))
                .isZero();
    }

    private static Path pem(Path file, String what, byte[] encoded) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(encoded) + "\n-----END "
                        + what + "-----\n");
    }

    /** Puts these in the place of {@code other}'s files. */
    public void replace(TestKeys other) throws IOException {
        Files.copy(files.chain(), other.files.chain(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(files.key(), other.files.key(), StandardCopyOption.REPLACE_EXISTING);
    }

    /** An end that identifies itself with these, and trusts those. */
    public SSLContext trusting(TestKeys... trusted) throws GeneralSecurityException, IOException {
        KeyStore anchors = KeyStore.getInstance("PKCS12");
        anchors.load(null, null);
        for (int i = 0; i < trusted.length; i++) {
            anchors.setCertificateEntry("t" + i, trusted[i].store.getCertificate("own"));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(anchors);
        KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
