package dev.understudy.agent.egress;

import dev.understudy.agent.Fuzz;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class EgressRuleTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.7:5432, 10.0.0.7, 5432, true",
        "10.0.0.7:5432, 10.0.0.7, 5433, false",
        "10.0.0.7:5432, 10.0.0.8, 5432, false",
        "10.0.0.7:*, 10.0.0.7, 1, true",
        "10.0.0.0/8:443, 10.255.255.255, 443, true",
        "10.0.0.0/8:443, 11.0.0.0, 443, false",
        "10.0.0.9/8:443, 10.1.0.0, 443, true",
        "192.168.1.128/25:80, 192.168.1.128, 80, true",
        "192.168.1.128/25:80, 192.168.1.127, 80, false",
        "255.255.255.255/31:80, 255.255.255.254, 80, true",
        "255.255.255.255/31:80, 255.255.255.253, 80, false",
        "0.0.0.0/0:80, 203.0.113.9, 80, true",
        "0.0.0.0/0:80, 2001:db8::1, 80, false",
        "[::]/0:80, 203.0.113.9, 80, false",
        "[::]/0:80, 2001:db8::1, 80, true",
        "[2001:db8::]/32:*, 2001:db8:ffff::1, 9, true",
        "[2001:db8::]/32:*, 2001:db9::1, 9, false",
        "[2001:db8::]/33:*, 2001:db8:8000::, 9, false",
        "[::1]:8080, ::1, 8080, true",
        "[0:0:0:0:0:0:0:1]:8080, ::1, 8080, true",
        "[::ffff:10.0.0.7]:80, 10.0.0.7, 80, true",
        "[::FFFF:a00:7]:80, 10.0.0.7, 80, true",
        "[1:2:3:4:5:6:1.2.3.4]:80, 1:2:3:4:5:6:102:304, 80, true",
    })
    void addressesAndNetworks_areComparedBitByBit(String rule, String address, int port, boolean allowed)
            throws UnknownHostException {
        assertThat(allows(rule, InetAddress.getByName(address), port)).isEqualTo(allowed);
    }

    @Test
    void names_standForTheAddressesThatTheyHave() throws UnknownHostException {
        EgressRule rule = Objects.requireNonNull(EgressRule.parse("API.Example.com:443"));
        InetAddress one = InetAddress.getByName("203.0.113.9");

        assertThat(rule.name()).isEqualTo("api.example.com");
        assertThat(rule.allows(one, 443, name -> name.equals("api.example.com") ? Set.of(one) : Set.of()))
                .isTrue();
        assertThat(rule.allows(one, 444, name -> Set.of(one))).isFalse();
        assertThat(rule.allows(one, 443, name -> Set.of())).isFalse();
    }

    /** What the application says of an address, or a reverse look-up has, isn't asked. */
    @Test
    void anAddressThatBearsAListedName_isNotAllowedForThat() throws UnknownHostException {
        InetAddress liar = InetAddress.getByAddress("api.example.com", new byte[] {(byte) 203, 0, 113, 9});

        assertThat(allows("api.example.com:443", liar, 443)).isFalse();
        assertThat(liar.getHostName()).isEqualTo("api.example.com");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:80",
                "a:1",
                "A-b_c.d9.e:65535",
                "xn--bcher-kva.example:*",
                "1.2.3.4.example:80",
                "0x7f.a:1",
                "3f4a9c01b2d7:5432",
                "db.7a:1",
                "0xy:1",
            })
    void names_areLettersDigitsDashesUnderscoresAndDots(String text) {
        assertThat(EgressRule.parse(text))
                .isNotNull()
                .satisfies(rule -> assertThat(rule.name()).isNotEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":80",
                "a",
                "a:",
                "a:0",
                "a:65536",
                "a:-1",
                "a:+1",
                "a:080",
                "a:8 0",
                "a:80:90",
                "a:**",
                "a:１",
                "*:80",
                "*.example.com:80",
                "a..b:80",
                ".a:80",
                "a.:80",
                "-:",
                "a b:80",
                "a,b:80",
                "bücher.de:80",
                "a/8:80",
                "a@b:80",
                "http://a:80",
                "a#:80",
                "a%25b:80",
                "a\u0000:80",
                "a\n:80",
                "127.1:80",
                "2130706433:80",
                "0x7f000001:80",
                "0x7f.1:80",
                "0X7f.0Xf:80",
                "a.0x:80",
                "010.0.0.1:80",
                "1.2.3:80",
                "1.2.3.4.5:80",
                "256.0.0.1:80",
                "1.2.3.4.:80",
                "1.2.3.-4:80",
                "1.2.3.+4:80",
                "1.2.3.４:80",
                "1.2.3. 4:80",
                "a.1:80",
                "10.0.0.0/33:80",
                "10.0.0.0/-1:80",
                "10.0.0.0/:80",
                "10.0.0.0/08:80",
                "10.0.0.0/8/8:80",
                "10.0.0.0/8",
                "[10.0.0.1]:80",
                "[a]:80",
                "[]:80",
                "[:80",
                "]:80",
                "[::1:80",
                "::1]:80",
                "::1:80",
                "[::1]",
                "[::1]80",
                "[::1%eth0]:80",
                "[fe80::1%1]:80",
                "[1::2::3]:80",
                "[:::]:80",
                "[1:2:3:4:5:6:7]:80",
                "[:1]:80",
                "[1:2:3:4:5:6:7:8:9]:80",
                "[1:2:3:4:5:6:7::8]:80",
                "[12345::]:80",
                "[g::]:80",
                "[1:2:3:4:5:6:7:]:80",
                "[::1.2.3]:80",
                "[1.2.3.4::]:80",
                "[::1.2.3.4:5]:80",
                "[::]/129:80",
                "[::]/x:80",
                "[::/0]:80",
                "[::ffff:10.0.0.0]/104:80",
                "[1:2:3:4:5:6:7:1.2.3.4]:80",
                "[::１]:80"
            })
    void whatIsNone_isNoRule(String text) {
        assertThat(EgressRule.parse(text)).isNull();
    }

    @Test
    void namesThatAreTooLong_areNone() {
        String label = "a".repeat(63);
        String name = label + "." + label + "." + label + "." + "a".repeat(61);

        assertThat(EgressRule.parse(name + ":1")).isNotNull();
        assertThat(EgressRule.parse(name + "a:1")).isNull();
        assertThat(EgressRule.parse("a" + label + ":1")).isNull();
        assertThat(EgressRule.parse("a.".repeat(100_000) + "a:1")).isNull();
        assertThat(EgressRule.parse("[" + "1:".repeat(100_000) + "1]:1")).isNull();
    }

    /** Whatever is written: no rule that is read allows what its own address isn't. */
    @Test
    void whateverIsWritten_nothingIsThrown_andNoRuleAllowsAll() throws UnknownHostException {
        String alphabet = "0123456789abcdefx.:[]/*%-_ \u0000é";
        InetAddress stranger = InetAddress.getByName("198.51.100.77");
        for (int seed = 0; seed < Fuzz.rounds(20_000); seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder(seed % 2 == 0 ? "" : "10.1.2.3/32:443");
            for (int i = random.nextInt(14); i >= 0; i--) {
                text.insert(random.nextInt(text.length() + 1), alphabet.charAt(random.nextInt(alphabet.length())));
            }
            EgressRule rule = EgressRule.parse(text.toString());
            boolean open = text.indexOf("/") >= 0 || text.indexOf("198.51.100.77") >= 0;
            assertThat(rule != null && rule.allows(stranger, 443, name -> Set.of()) && !open)
                    .as("seed %d: %s", seed, text)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"http://10.0.0.7:9090, 9090", "http://10.0.0.7, 80", "https://10.0.0.7/x, 443", "https://10.0.0.7:1/, 1"
    })
    void aUrl_namesItsHostAndPort(String url, int port) throws UnknownHostException {
        EgressRule rule = Objects.requireNonNull(EgressRule.ofUrl(url));
        InetAddress address = InetAddress.getByName("10.0.0.7");

        assertThat(rule.allows(address, port, name -> Set.of())).isTrue();
        assertThat(rule.allows(address, port + 1, name -> Set.of())).isFalse();
        assertThat(EgressRule.ofUrl("http:no-host")).isNull();
    }

    @Test
    void aUrlsHost_mayEndInADot() {
        EgressRule full = Objects.requireNonNull(EgressRule.ofUrl("http://sidecar.shop.svc.:9090"));
        assertThat(full.name()).isEqualTo("sidecar.shop.svc");
        assertThat(Objects.requireNonNull(EgressRule.hostOfUrl("http://aggregator.:9091"))
                        .name())
                .isEqualTo("aggregator");
    }

    private static boolean allows(String text, InetAddress address, int port) {
        EgressRule rule = EgressRule.parse(text);
        assertThat(rule).as(text).isNotNull();
        return rule != null && rule.allows(address, port, name -> Set.of());
    }
}
