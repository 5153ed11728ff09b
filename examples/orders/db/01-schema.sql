-- The orders database. Ids and time stamps are made here, never in the JVM.
CREATE ROLE orders LOGIN PASSWORD 'break-a-leg';

CREATE TABLE customers (
    id            bigint PRIMARY KEY,
    name          text NOT NULL UNIQUE,
    salt          bytea NOT NULL,
    password_hash bytea NOT NULL
);

CREATE TABLE products (
    id          bigint PRIMARY KEY,
    sku         text NOT NULL UNIQUE,
    name        text NOT NULL,
    category    text NOT NULL,
    price_cents bigint NOT NULL CHECK (price_cents > 0),
    stock       bigint NOT NULL CHECK (stock >= 0)
);

-- percent off from a quantity on
CREATE TABLE discounts (
    quantity integer PRIMARY KEY,
    percent  integer NOT NULL CHECK (percent BETWEEN 0 AND 99)
);

CREATE TABLE orders (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customers,
    placed_at   timestamptz NOT NULL DEFAULT now(),
    total_cents bigint NOT NULL,
    note        text
);
CREATE INDEX orders_by_customer ON orders (customer_id, id);

CREATE TABLE order_lines (
    order_id    bigint NOT NULL REFERENCES orders,
    product_id  bigint NOT NULL REFERENCES products,
    quantity    integer NOT NULL CHECK (quantity > 0),
    total_cents bigint NOT NULL,
    PRIMARY KEY (order_id, product_id)
);

CREATE TABLE attachments (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id  bigint NOT NULL REFERENCES orders,
    name      text NOT NULL,
    sha256    bytea NOT NULL,
    content   bytea NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX attachments_by_order ON attachments (order_id);

GRANT SELECT ON customers, products, discounts, orders, order_lines, attachments TO orders;
GRANT INSERT ON orders, order_lines, attachments TO orders;
GRANT UPDATE (stock) ON products TO orders;
