package dev.understudy.sidecar.command;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class TeeCommandTest {
    @TempDir
    Path folder;

    @Test
    void tee_turnsAListenersSwitch() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(tee(sidecar, "shop").out()).isEqualTo("shop: on\n");
            assertThat(tee(sidecar, "shop", "paused").out()).isEqualTo("shop: paused\n");
            assertThat(tee(sidecar, "shop", "off").out()).isEqualTo("shop: off\n");
            assertThat(tee(sidecar, "shop").out()).isEqualTo("shop: off\n");
            assertThat(Ran.run("status", "--url", sidecar.controlUrl()).out()).contains("tee off");
        }
    }

    @Test
    void sample_isSaidAndChanged() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(tee(
                                    sidecar,
                                    "shop",
                                    "paused",
                                    "--requests",
                                    "10%",
                                    "--header",
                                    "X-User",
                                    "--path",
                                    "/a",
                                    "--path",
                                    "/b")
                            .out())
                    .isEqualTo("shop: paused, 10% of the requests, by X-User, paths [\"/a\",\"/b\"]\n");
            assertThat(tee(sidecar, "shop", "--connections", "0.5%").out())
                    .isEqualTo("shop: paused, 0.5% of the connections\n");
            assertThat(tee(sidecar, "shop", "--requests", "100%").out()).isEqualTo("shop: paused\n");
            assertThat(tee(sidecar, "shop", "--redis-key", "cart:").err()).contains("unless protocol is redis");
        }
    }

    @Test
    void tee_ofWhatIsnt_is2() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(tee(sidecar, "a shop", "off").err()).contains("no listener a shop");
            assertThat(tee(sidecar, "shop", "out").err()).contains("out (expected: one of on, paused, off)");
            assertThat(tee(sidecar, "shop", "out").code()).isEqualTo(2);
            assertThat(tee(sidecar).code()).isEqualTo(2);
        }
    }

    private static Ran tee(RunningSidecar sidecar, String... args) {
        String[] all = new String[args.length + 3];
        all[0] = "tee";
        all[1] = "--url";
        all[2] = sidecar.controlUrl();
        System.arraycopy(args, 0, all, 3, args.length);
        return Ran.run(all);
    }
}
