package dev.understudy.session.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a reader of a bundle knows beforehand: its key, and who has to have signed it. */
public final class BundleTrust {
    @Option(names = "--decrypt", paramLabel = "FILE", description = "The key that the bundle is encrypted with.")
    private @Nullable Path key;

    @Option(
            names = "--signed-by",
            paramLabel = "FILE",
            description = "The public key of who has to have signed the bundle; any other is refused.")
    private @Nullable Path signedBy;

    /** Nothing: for a bundle that is neither encrypted nor has to be signed. */
    public BundleTrust() {}

    BundleTrust(@Nullable Path key, @Nullable Path signedBy) {
        this.key = key;
        this.signedBy = signedBy;
    }

    /** Whether the signature is checked. */
    boolean checksSignature() {
        return signedBy != null;
    }

    /**
     * Opens a bundle.
     *
     * @param folder for what is decrypted
     * @throws BundleException if it is none, or damaged, or its key or signature aren't what they should be
     */
    BundleFile open(Path bundle, BundleFolder folder) throws IOException {
        PublicKey signer = signedBy == null ? null : BundleSignature.publicKey(signedBy);
        BundleKey own = key == null ? null : BundleKey.read(key);
        boolean readable = Files.isRegularFile(bundle) && Files.isReadable(bundle);
        boolean encrypted = readable && BundleKey.isEncrypted(bundle);
        if (encrypted && own == null) {
            throw new BundleException(bundle + ": encrypted (expected: --decrypt with the key that it was made with)");
        }
        if (readable && !encrypted && own != null) {
            // or somebody without the key could have put another one in its place
            throw new BundleException(bundle + ": not encrypted (expected: without --decrypt, if that is meant)");
        }
        if (!encrypted || own == null) {
            return BundleFile.open(bundle, bundle, signer);
        }
        Path decrypted = folder.path().resolve("decrypted");
        own.decrypt(bundle, decrypted);
        return BundleFile.open(decrypted, bundle, signer);
    }
}
