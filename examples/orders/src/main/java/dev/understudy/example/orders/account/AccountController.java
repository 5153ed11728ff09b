package dev.understudy.example.orders.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Signs customers in and out; the session id is made by this JVM's servlet container. */
@RestController
class AccountController {
    private final Customers customers;

    AccountController(Customers customers) {
        this.customers = customers;
    }

    @PostMapping("/login")
    Map<String, Object> login(@RequestBody Credentials credentials, HttpServletRequest request) {
        Customer customer = customers
                .named(credentials.customer())
                .filter(found -> found.hasPassword(credentials.password()))
                .orElseThrow(
                        () -> new ResponseStatusException(HttpStatus.UNAUTHORIZED, "Unknown customer or password"));
        HttpSession former = request.getSession(false);
        if (former != null) {
            former.invalidate();
        }
        SignedIn.in(request.getSession(true), customer.id());
        return Map.of("customer", customer.name());
    }

    @PostMapping("/logout")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void logout(HttpSession session) {
        session.invalidate();
    }

    record Credentials(String customer, String password) {}
}
