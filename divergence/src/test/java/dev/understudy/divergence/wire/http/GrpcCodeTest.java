package dev.understudy.divergence.wire.http;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class GrpcCodeTest {
    @Test
    void code_isReadOfAnyFieldOfThatName() {
        assertThat(GrpcCode.values()).hasSize(17);
        for (int n = 0; n <= 16; n++) {
            String number = Integer.toString(n);
            GrpcCode code = GrpcCode.named(number);
            assertThat(GrpcCode.of(List.of(new Header("a", "1"), new Header("Grpc-Status", number))))
                    .isEqualTo(code);
            assertThat(code.said()).isEqualTo("grpc " + n);
            assertThat(GrpcCode.named(code.name())).isEqualTo(code);
        }
        assertThat(GrpcCode.of(List.of(new Header("grpc-message", "13")))).isNull();
        assertThat(GrpcCode.INTERNAL.said()).isEqualTo("grpc 13");
        assertThatThrownBy(() -> GrpcCode.named("17")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void valuesThatAreNoCode_areUnknown_andNeverThrow() {
        for (String none :
                List.of("", "17", "-1", "013", "1e1", "13 ", "13,13", "INTERNAL", "9".repeat(10_000), "\u0663")) {
            assertThat(GrpcCode.of(List.of(new Header("grpc-status", none))))
                    .as(none)
                    .isEqualTo(GrpcCode.UNKNOWN);
        }
        Random random = new Random(1301);
        for (int round = 0; round < 5_000; round++) {
            StringBuilder value = new StringBuilder();
            for (int n = random.nextInt(12); n > 0; n--) {
                int c = random.nextBoolean() ? '0' + random.nextInt(10) : 1 + random.nextInt(255);
                value.append(c == '\r' || c == '\n' ? '0' : (char) c);
            }
            assertThat(GrpcCode.of(List.of(new Header("grpc-status", value.toString()))))
                    .as("seed 1301 round %d", round)
                    .isNotNull();
        }
    }
}
