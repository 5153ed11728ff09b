package dev.understudy.agent.egress;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** Any text as a rule of egress: none, or one that knows of each address whether it allows it. */
final class EgressFuzzTest {
    @FuzzTest
    void rules(byte[] input) throws UnknownHostException {
        EgressRule rule = EgressRule.parse(new String(input, StandardCharsets.UTF_8));
        if (rule == null) {
            return;
        }
        byte[] four = {127, 0, 0, 1};
        byte[] six = new byte[16];
        six[15] = 1;
        for (byte[] address : new byte[][] {four, six}) {
            InetAddress to = InetAddress.getByAddress(address);
            boolean none = rule.allows(to, 443, name -> Set.of());
            assertThat(none && !rule.name().isEmpty()).isFalse();
            assertThat(rule.allows(to, 443, name -> Set.of(to)))
                    .isIn(none, !rule.name().isEmpty());
        }
    }
}
