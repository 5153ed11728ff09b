package dev.understudy.example.orders.ordering;

import dev.understudy.example.orders.account.SignedIn;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Uploads (the raw bytes are the body) and downloads of the papers attached to orders. */
@RestController
class AttachmentController {
    private static final int LARGEST = 8 << 20;

    private final Orders orders;
    private final Attachments attachments;

    AttachmentController(Orders orders, Attachments attachments) {
        this.orders = orders;
        this.attachments = attachments;
    }

    @PostMapping("/orders/{orderId}/attachments")
    @ResponseStatus(HttpStatus.CREATED)
    Attachment attach(@PathVariable long orderId, @RequestParam String name, HttpServletRequest request)
            throws IOException {
        byte[] content = request.getInputStream().readNBytes(LARGEST + 1);
        if (content.length > LARGEST) {
            throw new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE, "An attachment has at most 8 MiB");
        }
        if (orders.withId(SignedIn.required(request), orderId).isEmpty()) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return attachments.store(orderId, name, content);
    }

    @GetMapping(path = "/attachments/{id}", produces = "application/octet-stream")
    byte[] content(@PathVariable long id, HttpServletRequest request) {
        return attachments
                .content(SignedIn.required(request), id)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }
}
