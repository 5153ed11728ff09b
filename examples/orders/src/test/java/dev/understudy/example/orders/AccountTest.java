package dev.understudy.example.orders;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("process")
@ExtendWith(ShopExtension.class)
class AccountTest {
    private final Visitor visitor;

    AccountTest(RunningShop shop) {
        visitor = shop.visitor();
    }

    @Test
    void login_makesASessionThatLogoutEnds() {
        assertThat(visitor.get("/orders").statusCode()).isEqualTo(401);

        var login = visitor.post("/login", "{\"customer\":\"customer-01\",\"password\":\"break-a-leg\"}");
        assertThat(login.headers().firstValue("Set-Cookie").orElseThrow()).startsWith("JSESSIONID=");
        assertThat(visitor.get("/orders").statusCode()).isEqualTo(200);

        assertThat(visitor.post("/logout", "").statusCode()).isEqualTo(204);
        assertThat(visitor.get("/orders").statusCode()).isEqualTo(401);
    }

    @Test
    void login_refusesAWrongPasswordAndAnUnknownCustomerAlike() {
        var wrong = visitor.post("/login", "{\"customer\":\"customer-01\",\"password\":\"wrong\"}");
        var unknown = visitor.post("/login", "{\"customer\":\"nobody\",\"password\":\"break-a-leg\"}");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(wrong.body()).isEqualTo(unknown.body());
        assertThat(wrong.headers().firstValue("Set-Cookie")).isEmpty();
    }
}
