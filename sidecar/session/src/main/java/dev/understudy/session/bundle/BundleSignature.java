package dev.understudy.session.bundle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ed25519 signatures of manifests, which have the sums of everything else. Keys are PEM files, as OpenSSL writes them.
 */
final class BundleSignature {
    private static final String ALGORITHM = "Ed25519";
    private static final byte[] PURPOSE = "understudy bundle manifest 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern PEM =
            Pattern.compile("(?s).*?-----BEGIN (PRIVATE|PUBLIC) KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1 KEY-----.*");

    private BundleSignature() {}

    /** Writes a new pair: the private key to {@code file}, the public one beside it, with {@code .pub} at its end. */
    static Path createKeys(Path file) throws IOException {
        KeyPair pair;
        try {
            pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this Java lacks " + ALGORITHM, impossible);
        }
        Path open = file.resolveSibling(file.getFileName() + ".pub");
        try {
            Files.writeString(open, pem("PUBLIC", pair.getPublic().getEncoded()), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException there) {
            throw new BundleException(open + ": is there already (expected: the name of new files)", there);
        }
        try {
            BundleKey.writeNew(file, pem("PRIVATE", pair.getPrivate().getEncoded()));
        } catch (IOException unwritten) {
            Files.delete(open);
            throw unwritten;
        }
        return open;
    }

    private static String pem(String kind, byte[] key) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key);
        return "-----BEGIN " + kind + " KEY-----\n" + text + "\n-----END " + kind + " KEY-----\n";
    }

    /** Reads a key to sign with. */
    static PrivateKey privateKey(Path file) throws IOException {
        try {
            return KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(decoded(file, "PRIVATE")));
        } catch (GeneralSecurityException wrong) {
            throw new BundleException(file + ": no private key of " + ALGORITHM, wrong);
        }
    }

    /** Reads a key to check with. */
    static PublicKey publicKey(Path file) throws IOException {
        try {
            return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(decoded(file, "PUBLIC")));
        } catch (GeneralSecurityException wrong) {
            throw new BundleException(file + ": no public key of " + ALGORITHM, wrong);
        }
    }

    private static byte[] decoded(Path file, String kind) throws IOException {
        Matcher pem = PEM.matcher(BundleKey.beginning(file));
        try {
            if (pem.matches() && pem.group(1).equals(kind)) {
                return Base64.getMimeDecoder().decode(pem.group(2));
            }
        } catch (IllegalArgumentException undecodable) {
            throw new BundleException(file + ": no PEM", undecodable);
        }
        throw new BundleException(file + ": no " + kind
                + " KEY in it (expected: PEM, as understudy bundle key --signing" + " writes it)");
    }

    static byte[] sign(byte[] manifest, PrivateKey key) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key);
            signature.update(PURPOSE);
            signature.update(manifest);
            return Base64.getEncoder().encode(signature.sign());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether that key has signed that manifest. */
    static boolean verifies(byte[] manifest, byte[] signature, PublicKey key) {
        try {
            Signature check = Signature.getInstance(ALGORITHM);
            check.initVerify(key);
            check.update(PURPOSE);
            check.update(manifest);
            return check.verify(Base64.getDecoder().decode(signature));
        } catch (GeneralSecurityException | IllegalArgumentException none) {
            return false;
        }
    }
}
