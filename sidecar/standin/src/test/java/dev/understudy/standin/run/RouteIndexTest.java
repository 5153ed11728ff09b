package dev.understudy.standin.run;

import dev.understudy.standin.model.RouteModel;
import dev.understudy.standin.model.TestModels;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RouteIndexTest {
    private static final RouteModel ITEM = TestModels.route("GET", "/orders/{}");
    private static final RouteModel LIST = TestModels.route("GET", "/orders/all");
    private final RouteIndex routes = new RouteIndex(TestModels.of(ITEM, LIST));

    @Test
    void route_isFoundByItsParts() {
        assertThat(routes.find("GET", "/orders/17?full=true")).isEqualTo(ITEM);
        assertThat(routes.find("GET", "http://orders:8080/orders/17")).isEqualTo(ITEM);
    }

    @Test
    void wordsComeBeforeOpenParts() {
        assertThat(routes.find("GET", "/orders/all")).isEqualTo(LIST);
    }

    @Test
    void anythingElse_isUnknown() {
        assertThat(routes.find("POST", "/orders/17")).isNull();
        assertThat(routes.find("GET", "/orders/")).isNull();
        assertThat(routes.find("GET", "/orders/1/2")).isNull();
        assertThat(routes.find("GET", "")).isNull();
    }
}
