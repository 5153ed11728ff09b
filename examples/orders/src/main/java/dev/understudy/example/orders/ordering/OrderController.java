package dev.understudy.example.orders.ordering;

import dev.understudy.example.orders.account.SignedIn;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The signed-in customer's orders. */
@RestController
@RequestMapping("/orders")
class OrderController {
    private final Orders orders;

    OrderController(Orders orders) {
        this.orders = orders;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Order place(@RequestBody NewOrder wanted, HttpServletRequest request) {
        return orders.place(SignedIn.required(request), wanted);
    }

    @GetMapping
    List<OrderSummary> list(HttpServletRequest request) {
        return orders.of(SignedIn.required(request));
    }

    @GetMapping("/{id}")
    Order order(@PathVariable long id, HttpServletRequest request) {
        return orders.withId(SignedIn.required(request), id)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }

    @ExceptionHandler
    ProblemDetail outOfStock(OutOfStock problem) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, String.valueOf(problem.getMessage()));
    }
}
