package dev.understudy.session.plan;

import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UpstreamAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who has an upstream with TLS learns that before anything is made. */
final class EncryptedUpstreamsTest {
    @Test
    void upstreamWithTls_isNamed_withTheWayOut_andOthersArent() {
        assertThat(EncryptedUpstreams.notes(List.of(
                        upstream(5432, "postgres", TlsUse.YES),
                        upstream(6379, "redis", TlsUse.NO),
                        upstream(3306, "mysql", TlsUse.UNKNOWN),
                        upstream(443, "none", TlsUse.YES))))
                .singleElement()
                .asString()
                .startsWith("10.0.0.5:5432 speaks TLS")
                .contains("isn't recorded", "sslmode=disable");
    }

    private static UpstreamAddress upstream(int port, String protocol, TlsUse tls) {
        return new UpstreamAddress(new InetSocketAddress("10.0.0.5", port), List.of(), protocol, "", tls, 1);
    }
}
