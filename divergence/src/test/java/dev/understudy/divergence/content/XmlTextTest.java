package dev.understudy.divergence.content;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class XmlTextTest {
    private static final String TEXT = "<?xml version=\"1.0\"?><a xmlns:p='urn:p' b='1' "
            + "p:c='&#50;'><d>x<![CDATA[<&]]></d><!-- e --><?f g?><p:h/></a>";

    @Test
    void element_hasNamesAttributesChildrenAndText() {
        XmlElement root = parse(TEXT);

        assertThat(root.name()).isEqualTo("a");
        assertThat(root.attributes()).containsEntry("b", "1").containsEntry("{urn:p}c", "2");
        assertThat(root.children()).extracting(XmlElement::name).containsExactly("d", "?f", "h");
        assertThat(root.children().get(0).text()).isEqualTo("x<&");
        assertThat(root.children().get(2).namespace()).isEqualTo("urn:p");
    }

    @Test
    void charsetNamedOutside_counts() {
        byte[] latin = "<a>\u00e9</a>".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(XmlText.parse(latin, "iso-8859-1"))
                .extracting(XmlElement::text)
                .isEqualTo("\u00e9");
        assertThat(XmlText.parse(latin, null)).isNull();
        assertThat(XmlText.parse(latin, "no-such-charset")).isNull();
    }

    @Test
    void nothingOutsideTheText_isLookedUp(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        try (ServerSocket server = new ServerSocket(0)) {
            server.setSoTimeout(200);
            String url = "http://127.0.0.1:" + server.getLocalPort() + "/x.dtd";
            String external = "<!DOCTYPE a SYSTEM '" + url + "'><a/>";
            String entity = "<!DOCTYPE a [<!ENTITY e SYSTEM '" + secret.toUri() + "'>]><a>&e;</a>";

            assertThat(XmlText.parse(external.getBytes(StandardCharsets.UTF_8), null))
                    .isNull();
            assertThat(XmlText.parse(entity.getBytes(StandardCharsets.UTF_8), null))
                    .isNull();
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void deepTexts_areNotRead() {
        assertThat(parse("<a>".repeat(XmlText.MAX_DEPTH) + "</a>".repeat(XmlText.MAX_DEPTH)))
                .isNotNull();
        String deep = "<a>".repeat(100_000);
        assertThat(XmlText.parse(deep.getBytes(StandardCharsets.UTF_8), null)).isNull();
    }

    @Test
    void anyBytes_areReadOrNot() {
        byte[] text = TEXT.getBytes(StandardCharsets.UTF_8);
        for (int seed = 0; seed < 5000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = Arrays.copyOf(text, random.nextInt(text.length + 1));
            for (int n = random.nextInt(4); n > 0 && damaged.length > 0; n--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            String charset = random.nextBoolean() ? null : "utf-8";
            int tried = seed;
            assertThatCode(() -> XmlText.parse(damaged, charset))
                    .as("seed %d", tried)
                    .doesNotThrowAnyException();
        }
    }

    private static XmlElement parse(String text) {
        return Objects.requireNonNull(XmlText.parse(text.getBytes(StandardCharsets.UTF_8), null), text);
    }
}
