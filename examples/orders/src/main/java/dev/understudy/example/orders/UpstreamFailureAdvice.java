package dev.understudy.example.orders;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.client.RestClientException;

/** Turns failures of the database, the cache and pricing into 503; what failed goes to the log only. */
@RestControllerAdvice
class UpstreamFailureAdvice {
    private static final Logger LOG = LogManager.getLogger(UpstreamFailureAdvice.class);

    @ExceptionHandler({DataAccessException.class, TransactionException.class, RestClientException.class})
    ProblemDetail upstreamFailed(RuntimeException failure) {
        LOG.warn("An upstream failed", failure);
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "An upstream failed");
    }
}
