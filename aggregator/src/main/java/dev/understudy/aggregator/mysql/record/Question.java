package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.mysql.exchange.MySqlTransaction;
import dev.understudy.aggregator.mysql.sql.MySqlScript;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import java.util.List;

/** A statement as it was asked, in the session as it was then. */
record Question(MySqlScript script, List<BoundValue> values, Form form, MySqlTransaction transaction, long nanos) {}
