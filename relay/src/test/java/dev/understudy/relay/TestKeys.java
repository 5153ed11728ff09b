package dev.understudy.relay;

import dev.understudy.relay.tls.KeyFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A certificate for a test with its key, self-signed unless said otherwise, as PEM files and as a key store. */
public final class TestKeys {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    public final KeyFiles files;
    private final KeyStore store = empty();
    private final String name;
    private final KeyPair keys;

    private TestKeys(Path folder, Wanted wanted) throws IOException, GeneralSecurityException {
        String name = wanted.name;
        keys = pair(wanted.algorithm);
        Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificate(wanted, keys)));
        this.name = name;
        store.setKeyEntry("own", keys.getPrivate(), PASSWORD, new Certificate[] {certificate});
        try (OutputStream file = Files.newOutputStream(folder.resolve(name + ".p12"))) {
            store.store(file, PASSWORD);
        }
        files = new KeyFiles(
                pem(folder.resolve(name + ".crt"), "CERTIFICATE", certificate.getEncoded()),
                pem(
                        folder.resolve(name + ".key"),
                        "PRIVATE KEY",
                        keys.getPrivate().getEncoded()));
    }

    /**
     * For a server of that name, or a client.
     *
     * @param algorithm EC or RSA
     */
    public static TestKeys make(Path folder, String name, String algorithm)
            throws IOException, GeneralSecurityException {
        return new TestKeys(folder, new Wanted(name, algorithm, null, false, Duration.ofDays(2)));
    }

    /** For an authority that vouches for others, with a key of elliptic curves. */
    public static TestKeys authority(Path folder, String name) throws IOException, GeneralSecurityException {
        return new TestKeys(folder, new Wanted(name, "EC", null, true, Duration.ofDays(2)));
    }

    /** For somebody whom this authority vouches for, with such a key. */
    public TestKeys sign(Path folder, String name) throws IOException, GeneralSecurityException {
        return new TestKeys(folder, new Wanted(name, "EC", this, false, Duration.ofDays(2)));
    }

    /** The same, but it isn't valid any more. */
    public TestKeys signExpired(Path folder, String name) throws IOException, GeneralSecurityException {
        return new TestKeys(folder, new Wanted(name, "EC", this, false, Duration.ofHours(-1)));
    }

    /** @param issuer null if it signs itself */
    private record Wanted(
            String name, String algorithm, @Nullable TestKeys issuer, boolean authority, Duration valid) {
        KeyPair signing(KeyPair own) {
            return issuer == null ? own : issuer.keys;
        }

        byte[] issuerName() {
            return distinguished(issuer == null ? name : issuer.name);
        }
    }

    private static KeyPair pair(String algorithm) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(algorithm.equals("EC") ? 256 : 2048);
        return generator.generateKeyPair();
    }

    private static byte[] distinguished(String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        return der(0x30, der(0x31, der(0x30, hex("0603550403"), der(0x0c, text))));
    }

    /** RFC 5280, 4.1: version 3, with the name as the common name and as the one alternative name. */
    private static byte[] certificate(Wanted wanted, KeyPair keys) throws GeneralSecurityException {
        String algorithm = wanted.algorithm;
        byte[] text = wanted.name.getBytes(StandardCharsets.US_ASCII);
        byte[] signs = algorithm.equals("EC") ? hex("300a06082a8648ce3d040302") : hex("300d06092a864886f70d01010b0500");
        byte[] names = der(0x30, hex("0603551d11"), der(0x04, der(0x30, der(0x82, text))));
        byte[] constraints =
                wanted.authority ? der(0x30, hex("0603551d13"), der(0x04, der(0x30, hex("0101ff")))) : new byte[0];
        byte[] toSign = der(
                0x30,
                hex("a003020102"),
                der(0x02, BigInteger.valueOf(System.nanoTime() >>> 1).toByteArray()),
                signs,
                wanted.issuerName(),
                der(0x30, time(Duration.ofDays(-1)), time(wanted.valid)),
                distinguished(wanted.name),
                keys.getPublic().getEncoded(),
                der(0xa3, der(0x30, names, constraints)));
        Signature signature = Signature.getInstance(algorithm.equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
        signature.initSign(wanted.signing(keys).getPrivate());
        signature.update(toSign);
        return der(0x30, toSign, signs, der(0x03, new byte[1], signature.sign()));
    }

    private static byte[] time(Duration fromNow) {
        return der(0x17, UTC_TIME.format(Instant.now().plus(fromNow)).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        int length = content.size();
        if (length > 255) {
            all.writeBytes(new byte[] {(byte) 0x82, (byte) (length >> 8)});
        } else if (length > 127) {
            all.write(0x81); // the shortest form is the only one: who checks a signature may encode anew
        }
        all.write(length);
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
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
        KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
        keys.init(store, PASSWORD);
        return context(keys.getKeyManagers(), trusted);
    }

    /** An end that identifies itself with nothing, and trusts those. */
    public static SSLContext anonymous(TestKeys... trusted) throws GeneralSecurityException, IOException {
        return context(null, trusted);
    }

    private static SSLContext context(KeyManager @Nullable [] keys, TestKeys... trusted)
            throws GeneralSecurityException, IOException {
        KeyStore anchors = empty();
        for (int i = 0; i < trusted.length; i++) {
            anchors.setCertificateEntry("t" + i, trusted[i].store.getCertificate("own"));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(anchors);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return context;
    }
}
