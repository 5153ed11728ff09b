package dev.understudy.session.bundle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class BundleTrustTest {
    @TempDir
    private Path folder;

    private BundleStage stage;
    private String key;
    private String signer;

    @BeforeEach
    void keys() throws Exception {
        stage = new BundleStage(folder);
        key = folder.resolve("bundle.key").toString();
        signer = folder.resolve("signer.pem").toString();
        assertThat(stage.run("key", "-o", key)).as(stage.refused.toString()).isZero();
        assertThat(stage.run("key", "--signing", "-o", signer)).isZero();
    }

    @Test
    void encryptedBundle_isReadWithItsKeyAlone() throws Exception {
        assertThat(stage.make("--encrypt", key)).as(stage.refused.toString()).isZero();
        assertThat(latin(stage.bundle)).doesNotContain("GET /orders", "a reply 1", "manifest.json", "prices");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(key))))
                .isEqualTo("rw-------");

        assertThat(inspect("--decrypt", key)).isZero();
        assertThat(stage.printed.toString())
                .contains("; encrypted, not signed", "1 connections, 2 requests", "3 recorded replies");
        assertThat(inspect()).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("failure.bundle: encrypted (expected: --decrypt");

        String other = folder.resolve("other.key").toString();
        stage.run("key", "-o", other);
        assertThat(inspect("--decrypt", other)).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("another key encrypted it, or it is damaged");
    }

    @Test
    void sameContents_areEncryptedAnew() throws Exception {
        stage.make("--encrypt", key);
        byte[] first = Files.readAllBytes(stage.bundle);
        Files.delete(stage.bundle);
        stage.make("--encrypt", key);
        byte[] second = Files.readAllBytes(stage.bundle);
        assertThat(Arrays.mismatch(first, second)).isBetween(0, 100);
    }

    @Test
    void encryptedBundle_thatIsCutOffOrChangedAnywhere_isRefused() throws Exception {
        stage.make("--encrypt", key);
        byte[] whole = Files.readAllBytes(stage.bundle);
        Random random = new Random(7);
        for (int n = 0; n < 60; n++) {
            byte[] wrong = n % 2 == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            if (n % 2 == 1) {
                wrong[random.nextInt(wrong.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(stage.bundle, wrong);
            assertThat(inspect("--decrypt", key)).as("%d", n).isEqualTo(2);
            assertThat(stage.refused.toString()).contains("failure.bundle").hasLineCount(1);
        }
    }

    @Test
    void bundleThatIsNotEncrypted_doesntStandInForOneThatIs() throws Exception {
        stage.make();
        assertThat(inspect("--decrypt", key)).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("not encrypted (expected: without --decrypt");
    }

    @Test
    void signedBundle_isTrusted_whileItIsWhatTheSignerMade() throws Exception {
        assertThat(stage.make("--sign", signer, "--encrypt", key))
                .as(stage.refused.toString())
                .isZero();
        assertThat(stage.printed.toString()).contains("signed, which --signed-by checks");
        assertThat(inspect("--signed-by", signer + ".pub", "--decrypt", key))
                .as(stage.refused.toString())
                .isZero();
        assertThat(stage.printed.toString()).contains("signed by the key that is trusted");

        Files.delete(stage.bundle);
        stage.make("--sign", signer);
        Path changed = stage.manifest("\"count\"", "\"acount\"");
        assertThat(stage.run("inspect", "--signed-by", signer + ".pub", changed.toString()))
                .isEqualTo(2);
        assertThat(stage.refused.toString()).contains("not signed by the key of --signed-by, or changed since");

        String other = folder.resolve("other.pem").toString();
        stage.run("key", "--signing", "-o", other);
        assertThat(inspect("--signed-by", other + ".pub")).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("not signed by the key of");
        Path unsigned = stage.changed(all -> all.remove(BundleLimits.SIGNATURE));
        assertThat(stage.run("inspect", "--signed-by", signer + ".pub", unsigned.toString()))
                .isEqualTo(2);
        assertThat(stage.refused.toString()).contains("not signed (expected: by the key of");
        for (String forged : new String[] {"", "AAAA", "no base64 at all", "A".repeat(88)}) {
            Path odd = stage.changed(all -> all.put(BundleLimits.SIGNATURE, forged.getBytes(StandardCharsets.UTF_8)));
            assertThat(stage.run("inspect", "--signed-by", signer + ".pub", odd.toString()))
                    .isEqualTo(2);
        }
    }

    @Test
    void filesThatAreNoKeys_areRefused_andNothingOfThemIsShown() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "understudy bundle key 1 hunter2\n");
        assertThat(stage.make("--encrypt", secret.toString())).isEqualTo(2);
        assertThat(stage.refused.toString())
                .contains("secret: no key of bundles")
                .doesNotContain("hunter2");
        assertThat(stage.make("--sign", secret.toString())).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("no PRIVATE KEY in it").doesNotContain("hunter2");
        Files.writeString(secret, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assertThat(stage.make("--sign", secret.toString())).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("no private key of Ed25519");
        assertThat(stage.make("--sign", signer + ".pub")).isEqualTo(2);
        assertThat(stage.bundle).doesNotExist();
        assertThat(stage.run("key", "-o", key)).as("a key isn't replaced").isEqualTo(2);
        assertThat(stage.refused.toString()).contains("is there already");
        Files.delete(Path.of(signer));
        assertThat(stage.run("key", "--signing", "-o", signer)).isEqualTo(2);
        assertThat(Path.of(signer)).as("half a pair").doesNotExist();
        stage.make();
        assertThat(inspect("--signed-by", folder.resolve("none.pub").toString()))
                .isEqualTo(2);
        assertThat(stage.refused.toString()).contains("none.pub: no such file");
        assertThat(stage.run("inspect", folder.toString())).isEqualTo(2);
        assertThat(stage.refused.toString()).contains(folder.toString());
    }

    /** As many entries as a bundle may have, and the two that list them. */
    @Test
    void signedBundle_ofAsManyEntriesAsThereMayBe_isRead() throws Exception {
        BundleWriter writer = new BundleWriter();
        writer.add(BundleLimits.RECORDING, new byte[0]);
        writer.add(BundleLimits.UPSTREAMS, new byte[0]);
        for (int n = 2; n < BundleLimits.MOST_ENTRIES; n++) {
            writer.add(BundleLimits.JOURNAL + "a/" + n, new byte[0]);
        }
        writer.signWith(BundleSignature.privateKey(Path.of(signer)));
        writer.write(stage.bundle, Instant.EPOCH, "1");
        try (BundleFile file =
                BundleFile.open(stage.bundle, stage.bundle, BundleSignature.publicKey(Path.of(signer + ".pub")))) {
            assertThat(file.names()).hasSize(BundleLimits.MOST_ENTRIES);
        }
    }

    private int inspect(String... options) {
        String[] words = new String[options.length + 2];
        words[0] = "inspect";
        System.arraycopy(options, 0, words, 1, options.length);
        words[words.length - 1] = stage.bundle.toString();
        return stage.run(words);
    }

    private static String latin(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }
}
