package dev.understudy.it.jpa;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** A failure is told with its reason, which may be the aggregator's. */
@RestControllerAdvice
class FailureAdvice {
    @ExceptionHandler
    @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
    String failed(Exception failure) {
        return failure.getMessage();
    }
}
