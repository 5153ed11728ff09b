package dev.understudy.example.orders.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.OptionalLong;

/** The customer that a session belongs to. */
public final class SignedIn {
    private static final String ATTRIBUTE = SignedIn.class.getName();

    private SignedIn() {}

    static void in(HttpSession session, long customerId) {
        session.setAttribute(ATTRIBUTE, customerId);
    }

    /** The signed-in customer's id, if this request comes with a live session. */
    public static OptionalLong customer(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(ATTRIBUTE) instanceof Long id
                ? OptionalLong.of(id)
                : OptionalLong.empty();
    }

    /** The signed-in customer's id behind {@link SignedInInterceptor}, which lets nobody else through. */
    public static long required(HttpServletRequest request) {
        return customer(request).orElseThrow();
    }
}
