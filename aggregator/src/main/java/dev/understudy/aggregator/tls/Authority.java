package dev.understudy.aggregator.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Vouches for the debug ports: a certificate authority of our own, whose only use is that a debug JVM trusts it.
 *
 * <p>Its certificates are X.509 version 3 (RFC 5280) with keys on the curve P-256. Immutable.
 *
 * @param certificate its own, signed by itself; no authority may stand below it
 */
record Authority(X509Certificate certificate, PrivateKey key) {
    private static final Duration LIFE = Duration.ofDays(3650);
    private static final Duration LEAF_LIFE = Duration.ofDays(820);

    /** Clocks of debug JVMs may be behind. */
    private static final Duration BEFORE = Duration.ofDays(1);

    private static final int LONGEST_COMMON_NAME = 64;
    private static final int KEY_CERT_SIGN_AND_CRL_SIGN = 0x06;
    private static final int DIGITAL_SIGNATURE = 0x80;
    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.identifier("1.2.840.10045.4.3.2"));
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Makes one whose name no other has. */
    static Authority make(InstantSource clock) throws GeneralSecurityException {
        KeyPair keys = keys();
        byte[] name = name("Understudy debug CA " + Long.toHexString(RANDOM.nextLong()));
        Instant now = clock.instant();
        byte[] extensions = Der.sequence(
                extension("2.5.29.19", true, Der.sequence(Der.yes(), Der.integer(BigInteger.ZERO))),
                extension("2.5.29.15", true, Der.bits(new byte[] {KEY_CERT_SIGN_AND_CRL_SIGN}, 1)),
                extension("2.5.29.14", false, Der.octets(identity(keys.getPublic()))));
        return new Authority(
                signed(name, name, now, LIFE, keys.getPublic(), extensions, keys.getPrivate()), keys.getPrivate());
    }

    /** A pair of keys for an authority or one of its servers. */
    static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
        return generator.generateKeyPair();
    }

    /** A certificate for a server that is reached by these names and addresses, at least one. */
    X509Certificate issue(List<HostName> names, PublicKey of, InstantSource clock) throws GeneralSecurityException {
        String first = names.get(0).spelled();
        List<byte[]> alternatives = new ArrayList<>();
        for (HostName name : names) {
            alternatives.add(name.alternative());
        }
        byte[] extensions = Der.sequence(
                extension("2.5.29.19", true, Der.sequence()),
                extension("2.5.29.15", true, Der.bits(new byte[] {(byte) DIGITAL_SIGNATURE}, 7)),
                extension("2.5.29.37", false, Der.sequence(Der.identifier("1.3.6.1.5.5.7.3.1"))),
                extension("2.5.29.35", false, Der.sequence(Der.plainTagged(0, identity(certificate.getPublicKey())))),
                extension("2.5.29.17", false, Der.sequence(alternatives.toArray(byte[][]::new))));
        return signed(
                certificate.getSubjectX500Principal().getEncoded(),
                name(first.length() <= LONGEST_COMMON_NAME ? first : "understudy"),
                clock.instant(),
                LEAF_LIFE,
                of,
                extensions,
                key);
    }

    private static X509Certificate signed(
            byte[] issuer, byte[] subject, Instant now, Duration life, PublicKey of, byte[] extensions, PrivateKey with)
            throws GeneralSecurityException {
        byte[] content = Der.sequence(
                Der.tagged(0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(127, RANDOM).setBit(126)),
                ECDSA_WITH_SHA256,
                issuer,
                Der.sequence(Der.time(now.minus(BEFORE)), Der.time(now.plus(life))),
                subject,
                of.getEncoded(),
                Der.tagged(3, extensions));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(with, RANDOM);
        signature.update(content);
        byte[] whole = Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(signature.sign(), 0));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] name(String common) {
        return Der.sequence(Der.set(Der.sequence(Der.identifier("2.5.4.3"), Der.text(common))));
    }

    private static byte[] extension(String identifier, boolean critical, byte[] value) {
        byte[] octets = Der.octets(value);
        return critical
                ? Der.sequence(Der.identifier(identifier), Der.yes(), octets)
                : Der.sequence(Der.identifier(identifier), octets);
    }

    /** What names a key in certificates (RFC 7093, method 1, over the whole key). */
    private static byte[] identity(PublicKey key) throws GeneralSecurityException {
        return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()), 20);
    }
}
