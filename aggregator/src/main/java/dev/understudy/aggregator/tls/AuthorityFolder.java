package dev.understudy.aggregator.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an authority in a folder, so that it is the same after a restart, beside what debug JVMs need to trust it.
 *
 * <p>{@code ca.key} is its owner's only; {@code ca.crt} and {@code truststore.p12} hold no secret and are everybody's
 * to read.
 */
final class AuthorityFolder {
    private static final Logger log = LoggerFactory.getLogger(AuthorityFolder.class);
    private static final Set<PosixFilePermission> OWNERS =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    private static final Set<PosixFilePermission> EVERYBODYS = Set.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.OTHERS_READ);
    private static final String KEY_BEGINS = "-----BEGIN PRIVATE KEY-----";
    private static final String KEY_ENDS = "-----END PRIVATE KEY-----";

    private final Path folder;

    AuthorityFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * The authority that is kept here; a new one if there is none yet, or if its time is up.
     *
     * @throws IOException if the folder can't be read and written, or holds something else; the message names the file
     */
    Authority open(InstantSource clock) throws IOException, GeneralSecurityException {
        Files.createDirectories(folder);
        Path key = folder.resolve("ca.key");
        Path certificate = folder.resolve("ca.crt");
        if (Files.exists(key) && Files.exists(certificate)) {
            restrict(key, OWNERS);
            Authority kept = read(certificate, key);
            if (kept.certificate().getNotAfter().toInstant().isAfter(clock.instant())) {
                write(folder.resolve("truststore.p12"), Exports.truststore(kept.certificate()), EVERYBODYS);
                return kept;
            }
            log.warn("{}: its time is up, a new authority is made: debug JVMs have to trust that one", certificate);
        } else if (Files.exists(key) || Files.exists(certificate)) {
            throw new IOException(folder + ": one of ca.key and ca.crt is missing (expected: both, or none)");
        }
        Authority made = Authority.make(clock);
        String pem = Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(made.key().getEncoded());
        write(key, (KEY_BEGINS + '\n' + pem + '\n' + KEY_ENDS + '\n').getBytes(StandardCharsets.US_ASCII), OWNERS);
        write(folder.resolve("truststore.p12"), Exports.truststore(made.certificate()), EVERYBODYS);
        write(certificate, Exports.pem(made.certificate()), EVERYBODYS);
        log.info("{}: a new authority for the debug ports' TLS was made", certificate);
        return made;
    }

    private static Authority read(Path certificate, Path key) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            X509Certificate own =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            String pem = Files.readString(key).strip();
            if (!pem.startsWith(KEY_BEGINS) || !pem.endsWith(KEY_ENDS)) {
                throw new GeneralSecurityException("no PKCS #8 key in PEM");
            }
            byte[] encoded = Base64.getMimeDecoder()
                    .decode(pem.substring(KEY_BEGINS.length(), pem.length() - KEY_ENDS.length()));
            PrivateKey read = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
            if (!belong(own, read)) {
                throw new GeneralSecurityException("the key isn't the certificate's");
            }
            return new Authority(own, read);
        } catch (GeneralSecurityException | ClassCastException | IllegalArgumentException wrong) {
            throw new IOException(key + ", " + certificate + ": " + wrong.getMessage(), wrong);
        }
    }

    private static boolean belong(X509Certificate certificate, PrivateKey key) throws GeneralSecurityException {
        byte[] sample = certificate.getSerialNumber().toByteArray();
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        signature.update(sample);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(sample);
        return signature.verify(signed);
    }

    /** Nobody ever sees a part of it, or the whole with more permissions than it should have. */
    private void write(Path file, byte[] content, Set<PosixFilePermission> permissions) throws IOException {
        Path fresh = Files.createTempFile(folder, ".understudy", null); // its owner's only, where there are permissions
        try {
            restrict(fresh, OWNERS);
            Files.write(fresh, content);
            restrict(fresh, permissions);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static void restrict(Path file, Set<PosixFilePermission> permissions) throws IOException {
        if (Files.getFileStore(file).supportsFileAttributeView("posix")
                && !Files.getPosixFilePermissions(file).equals(permissions)) {
            Files.setPosixFilePermissions(file, permissions);
        }
    }
}
