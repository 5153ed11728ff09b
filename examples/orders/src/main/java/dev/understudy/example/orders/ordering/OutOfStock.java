package dev.understudy.example.orders.ordering;

/** There is no such product, or too little of it; nothing was ordered. */
final class OutOfStock extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutOfStock(long productId) {
        super("Product " + productId + " is not available in this quantity");
    }
}
