package dev.understudy.sidecar.steer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PatchTest {
    private static final byte[] CLASS = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, 61, 0, 1};

    @Test
    void aPatch_isKnownByItsBytes_andNamesItsClasses() throws IOException {
        Patch patch = Patch.of(jar(CLASS, "com/shop/Cart.class", "com/shop/", "com/shop/Cart$1.class"));

        assertThat(patch.classes()).containsExactly("com.shop.Cart", "com.shop.Cart$1");
        assertThat(patch.id())
                .hasSize(32)
                .isNotEqualTo(Patch.of(jar(CLASS, "Cart.class")).id());
    }

    @Test
    void anythingElse_isRefused() throws IOException {
        for (byte[] other : new byte[][] {
            {},
            {1, 2, 3},
            jar(CLASS),
            jar(CLASS, "readme.txt"),
            jar(CLASS, "META-INF/versions/9/A.class"),
            jar(CLASS, "module-info.class"),
            jar(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, "A.class")
        }) {
            assertThatThrownBy(() -> Patch.of(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected: ");
        }
        byte[] large = jar(Arrays.copyOf(CLASS, Patch.MOST_BYTES + 1), "A.class");
        assertThat(large).hasSizeLessThan(1 << 20);
        assertThatThrownBy(() -> Patch.of(large)).hasMessageContaining("unpacked larger");
    }

    @Test
    void damagedJars_areTakenOrRefused_neverWorse() throws IOException {
        byte[] good = jar(CLASS, "a/B.class", "a/C.class", "D.class");
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = Arrays.copyOf(good, random.nextInt(4) == 0 ? random.nextInt(good.length) : good.length);
            for (int edits = random.nextInt(5); edits > 0 && damaged.length > 0; edits--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(Patch.of(damaged).classes()).as("seed " + seed).isNotEmpty();
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).as("seed " + seed).isNotEmpty();
            }
        }
    }

    @Test
    void patches_orderOne_andNone() throws IOException {
        Orders orders = new Orders();
        Patches patches = new Patches(orders);
        assertThat(patches.takeBack()).isFalse();
        Patch patch = Patch.of(jar(CLASS, "A.class"));
        patches.apply(patch);
        assertThat(orders.sheet()).isEqualTo(new Orders.Sheet(1, Map.of("patch", Map.of("id", patch.id()))));
        assertThat(patches.takeBack()).isTrue();
        assertThat(orders.sheet()).isEqualTo(new Orders.Sheet(2, Map.of()));
        assertThat(patches.wanted()).isNull();
    }

    private static byte[] jar(byte[] content, String... names) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (String name : names) {
                out.putNextEntry(new ZipEntry(name));
                if (!name.endsWith("/")) {
                    out.write(content);
                }
            }
        }
        return bytes.toByteArray();
    }
}
