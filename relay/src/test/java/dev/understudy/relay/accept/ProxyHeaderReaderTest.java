package dev.understudy.relay.accept;

import dev.understudy.relay.accept.ProxyProtocolConfig.Version;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ProxyHeaderReaderTest {
    private static final String V2 = "0d0a0d0a000d0a515549540a";

    private static ProxyHeader read(String line) throws Exception {
        return read(line.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static ProxyHeader read(byte[] bytes) throws Exception {
        ByteBuf all = Unpooled.wrappedBuffer(bytes);
        ProxyHeader header = ProxyHeaderReader.read(all);
        assertThat(all.isReadable()).as("bytes left").isFalse();
        return Objects.requireNonNull(header, "not complete");
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static InetSocketAddress at(String address, int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(address), port);
    }

    @Test
    void lines_tellBothEnds() throws Exception {
        ProxyHeader four = read("PROXY TCP4 192.0.2.1 198.51.100.2 56324 443\r\n");
        assertThat(four.source()).isEqualTo(at("192.0.2.1", 56324));
        assertThat(four.destination()).isEqualTo(at("198.51.100.2", 443));
        ProxyHeader six = read("PROXY TCP6 2001:db8::1 ::1 0 65535\r\n");
        assertThat(six.source()).isEqualTo(at("2001:db8::1", 0));
        assertThat(six.destination()).isEqualTo(at("::1", 65535));
        assertThat(read("PROXY UNKNOWN\r\n").source()).isNull();
        assertThat(read("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n").source()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 192.0.2.1 198.51.100.2 56324 443\n",
                "PROXY TCP4 192.0.2.1 198.51.100.2 056324 443\r\n",
                "PROXY TCP4 192.0.2.1 198.51.100.2 +563 443\r\n",
                "PROXY TCP4 192.0.2.1 198.51.100.2 65536 443\r\n",
                "PROXY TCP4 192.0.2.1 198.51.100.2 -1 443\r\n",
                "PROXY TCP4 192.0.2.01 198.51.100.2 1 443\r\n",
                "PROXY TCP4 192.0.2.256 198.51.100.2 1 443\r\n",
                "PROXY TCP4 192.0.2 198.51.100.2 1 443\r\n",
                "PROXY TCP4 ::1 ::1 1 443\r\n",
                "PROXY TCP6 192.0.2.1 198.51.100.2 1 443\r\n",
                "PROXY TCP6 fe80::1%eth0 ::1 1 443\r\n",
                "PROXY TCP4  192.0.2.1 198.51.100.2 1 443\r\n",
                "PROXY TCP4 192.0.2.1 198.51.100.2 1 443 \r\n",
                "PROXY TCP4 192.0.2.1 198.51.100.2 1\r\n",
                "PROXY UDP4 192.0.2.1 198.51.100.2 1 443\r\n",
                "PROXY TCP4 localhost 198.51.100.2 1 443\r\n",
                "PROXY \r\n",
                "PROXYTCP4\r\n",
                "GET / HTTP/1.1\r\n",
                "proxy TCP4 192.0.2.1 198.51.100.2 1 443\r\n",
                "\0"
            })
    void otherLines_areRefused(String line) {
        assertThatThrownBy(() -> read(line)).isInstanceOf(ProxyHeaderReader.Malformed.class);
    }

    @Test
    void lineOf107Bytes_isTheLongest() throws Exception {
        String longest = "PROXY UNKNOWN " + "x".repeat(91) + "\r\n";
        assertThat(longest).hasSize(107);
        assertThat(read(longest).source()).isNull();
        assertThatThrownBy(() -> read("PROXY UNKNOWN " + "x".repeat(92) + "\r\n"))
                .isInstanceOf(ProxyHeaderReader.Malformed.class);
        assertThat(ProxyHeaderReader.read(Unpooled.wrappedBuffer(new byte[] {'P', 'R'})))
                .isNull();
    }

    @Test
    void binaryHeaders_tellBothEndsAndFields() throws Exception {
        ProxyHeader four = read(hex(V2 + "21 11 0011 c0000201 c6336402 dc04 01bb  04 0002 beef"));
        assertThat(four.source()).isEqualTo(at("192.0.2.1", 56324));
        assertThat(four.destination()).isEqualTo(at("198.51.100.2", 443));
        assertThat(four.fields()).isEqualTo(hex("04 0002 beef"));
        ProxyHeader six =
                read(hex(V2 + "21 21 0024" + "20010db8000000000000000000000001" + "0".repeat(31) + "1 0001 0002"));
        assertThat(six.source()).isEqualTo(at("2001:db8::1", 1));
        assertThat(read(hex(V2 + "20 00 0000")).source()).as("LOCAL").isNull();
        assertThat(read(hex(V2 + "20 ff 0001 00")).source())
                .as("LOCAL, rest ignored")
                .isNull();
        assertThat(read(hex(V2 + "21 00 0000")).source()).as("unspecified").isNull();
        assertThat(read(hex(V2 + "21 12 000c c0000201 c6336402 dc04 01bb")).source())
                .as("UDP")
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "11 11 000c c0000201 c6336402 dc04 01bb", // version 1
                "22 11 000c c0000201 c6336402 dc04 01bb", // an unknown command
                "21 13 000c c0000201 c6336402 dc04 01bb", // an unknown transport
                "21 41 000c c0000201 c6336402 dc04 01bb", // an unknown family
                "21 11 000b c0000201 c6336402 dc04 01", // shorter than its addresses
                "21 21 000c c0000201 c6336402 dc04 01bb", // IPv4 addresses called IPv6
                "21 11 000e c0000201 c6336402 dc04 01bb 0400", // half a field
                "21 11 000f c0000201 c6336402 dc04 01bb 040001", // a field beyond the end
                "21 11 0013 c0000201 c6336402 dc04 01bb 030004 00000000", // a wrong checksum
                "21 11 1000" // longer than we take
            })
    void otherBinaryHeaders_areRefused(String after) {
        assertThatThrownBy(() -> read(hex(V2 + after))).isInstanceOf(ProxyHeaderReader.Malformed.class);
    }

    @Test
    void rightChecksum_isTakenOut() throws Exception {
        byte[] header = hex(V2 + "21 11 0018 c0000201 c6336402 dc04 01bb  030004 00000000 04 0002 beef");
        CRC32C checksum = new CRC32C();
        checksum.update(header);
        for (int i = 0; i < 4; i++) {
            header[31 + i] = (byte) (checksum.getValue() >>> (24 - 8 * i));
        }
        assertThat(read(header).fields()).isEqualTo(hex("04 0002 beef"));
    }

    @Test
    void whatIsWritten_isReadAgain_inAnyPieces() throws Exception {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            ProxyHeader header = random(random);
            Version version = random.nextBoolean() ? Version.V1 : Version.V2;
            byte[] written = header.encode(version);
            byte[] rest = new byte[random.nextInt(50)];
            random.nextBytes(rest);
            ByteBuf there = Unpooled.buffer();
            ProxyHeader read = null;
            for (byte each : join(written, rest)) {
                there.writeByte(each);
                if (read == null) {
                    read = ProxyHeaderReader.read(there);
                }
            }
            Objects.requireNonNull(read, "not complete, seed " + seed);
            assertThat(read.source()).as("seed " + seed).isEqualTo(header.source());
            assertThat(read.destination()).as("seed " + seed).isEqualTo(header.destination());
            assertThat(read.fields())
                    .as("seed " + seed)
                    .isEqualTo(version == Version.V2 ? header.fields() : new byte[0]);
            byte[] left = new byte[there.readableBytes()];
            there.readBytes(left);
            assertThat(left).as("seed " + seed).isEqualTo(rest);
        }
    }

    private static ProxyHeader random(Random random) throws UnknownHostException {
        int width = random.nextBoolean() ? 4 : 16;
        byte[] fields = new byte[3 + random.nextInt(200)];
        random.nextBytes(fields);
        fields[0] = 0x04;
        fields[1] = 0;
        fields[2] = (byte) (fields.length - 3);
        return new ProxyHeader(end(random, width), end(random, width), fields);
    }

    private static InetSocketAddress end(Random random, int width) throws UnknownHostException {
        byte[] address = new byte[width];
        random.nextBytes(address);
        return new InetSocketAddress(InetAddress.getByAddress(address), random.nextInt(0x10000));
    }

    private static byte[] join(byte[] first, byte[] second) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    @Test
    void damagedHeaders_areReadOrRefused_andNeverReadFor() {
        for (long seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes;
            try {
                ProxyHeader header = random(random);
                bytes = random.nextInt(4) == 0
                        ? new byte[random.nextInt(6000)]
                        : header.encode(random.nextBoolean() ? Version.V1 : Version.V2);
            } catch (UnknownHostException e) {
                throw new AssertionError(e);
            }
            if (bytes.length > 300) {
                random.nextBytes(bytes);
                System.arraycopy(hex(V2 + "21"), 0, bytes, 0, 13);
            }
            for (int damage = random.nextInt(4); damage > 0 && bytes.length > 0; damage--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            byte[] given = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            ByteBuf there = Unpooled.wrappedBuffer(given);
            try {
                ProxyHeader read = ProxyHeaderReader.read(there);
                if (read == null) {
                    assertThat(there.readerIndex()).as("seed " + seed).isZero();
                }
                assertThat(read != null || given.length < ProxyHeaderReader.LONGEST)
                        .as("waits for ever, seed " + seed)
                        .isTrue();
            } catch (ProxyHeaderReader.Malformed refused) {
                assertThat(there.readerIndex()).as("seed " + seed).isZero();
            }
        }
    }

    @Test
    void subnets_areToldApart() throws Exception {
        assertThat(Subnet.parse("10.0.0.0/8").contains(InetAddress.getByName("10.255.0.1")))
                .isTrue();
        assertThat(Subnet.parse("10.0.0.0/8").contains(InetAddress.getByName("11.0.0.1")))
                .isFalse();
        assertThat(Subnet.parse("10.1.2.3").contains(InetAddress.getByName("10.1.2.3")))
                .isTrue();
        assertThat(Subnet.parse("10.1.2.3").contains(InetAddress.getByName("10.1.2.2")))
                .isFalse();
        assertThat(Subnet.parse("192.168.4.0/22").contains(InetAddress.getByName("192.168.7.255")))
                .isTrue();
        assertThat(Subnet.parse("192.168.4.0/22").contains(InetAddress.getByName("192.168.8.0")))
                .isFalse();
        assertThat(Subnet.parse("fd00::/8").contains(InetAddress.getByName("fdff::1")))
                .isTrue();
        assertThat(Subnet.parse("::/0").contains(InetAddress.getByName("10.0.0.1")))
                .isFalse();
        for (String wrong : new String[] {"host", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", ""}) {
            assertThatThrownBy(() -> Subnet.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
