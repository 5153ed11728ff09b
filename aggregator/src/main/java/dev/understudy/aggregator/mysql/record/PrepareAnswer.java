package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.mysql.exchange.MySqlTimelines;
import dev.understudy.aggregator.mysql.exchange.Preparation;
import dev.understudy.aggregator.mysql.sql.MySqlScript;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.PrepareReader;
import dev.understudy.divergence.wire.mysql.result.PreparedShape;

/** What the server says of a statement that is to be prepared is coming. */
final class PrepareAnswer implements Answering {
    private final ServerFacts facts;
    private final Statements statements;
    private final String text;
    private final MySqlScript script;
    private final Form form;
    private final PrepareReader reader;

    PrepareAnswer(
            ServerFacts facts, Statements statements, String text, MySqlScript script, Form form, Capabilities agreed) {
        this.facts = facts;
        this.statements = statements;
        this.text = text;
        this.script = script;
        this.form = form;
        this.reader = new PrepareReader(agreed);
    }

    @Override
    public boolean read(byte[] payload, long nanos) {
        if (!reader.read(payload)) {
            return false;
        }
        Err error = reader.error();
        Preparation preparation;
        if (error == null) {
            PreparedShape shape = reader.shape();
            int parameters = shape.parameters().size();
            statements.add(reader.statement(), new MySqlStatement(script, text, parameters, shape.columns()));
            preparation = new Preparation(shape, null);
        } else {
            statements.refused();
            preparation = new Preparation(null, error);
        }
        if (MySqlTimelines.answers(error)) {
            facts.learn(
                    form, MySqlTimelines.OfPreparation.class, MySqlTimelines.OfPreparation::new, preparation, nanos);
        }
        return true;
    }
}
