package io.plat.fronts.authzen;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.authzen.EvaluationRequest.Part;
import io.plat.review.codec.ResponseDocument;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;

/** Processing of a search, from body to response, on a separate thread. */
record SearchExchange(Decisions decisions, Mapping mapping, Part part, Intake.Exchange http)
        implements Intake.BodyHandler {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Override
    public void received(byte[] bytes, int count) {
        http.compute("search", () -> answer(bytes, count));
    }

    private void answer(byte[] bytes, int count) throws StatusException {
        EvaluationReader.AuthZenRequest wanted = EvaluationReader.read(bytes, count, EvaluationReader.SEARCH);
        EvaluationReader.require(wanted.evaluation(), part);
        EvaluationRequest evaluation = wanted.evaluation().with(part, "");
        ResultPage page = ResultPage.of(part, evaluation, wanted.page());
        PolicySet policy = decisions.policy();
        Search result = Search.of(part, evaluation, mapping, policy, TIMEOUT);
        Answers.send(
                ResponseDocument.written(json -> write(evaluation, page, result, policy, json)),
                policy.revision(),
                http);
    }

    private void write(
            EvaluationRequest evaluation, ResultPage page, Search result, PolicySet policy, JsonGenerator json)
            throws IOException {
        List<String> ids = page.select(result.ids);
        json.writeObjectFieldStart("page");
        json.writeStringField("next_token", page.next(ids, result.ids));
        json.writeNumberField("count", ids.size());
        json.writeNumberField("total", result.ids.size());
        json.writeEndObject();
        json.writeObjectFieldStart("context");
        json.writeStringField("policy_revision", policy.revision());
        if (result.unbounded) {
            json.writeBooleanField("unbounded", true);
        }
        write("namespaces", result.namespaces, json);
        write("groups", result.groups, json);
        write("incomplete", result.gaps, json);
        json.writeEndObject();
        ResponseDocument.objects("results", ids, json, id -> {
            switch (part) {
                case ACTION -> json.writeStringField("name", id);
                case SUBJECT -> entity(evaluation.subject().type(), id, json);
                case RESOURCE -> entity(evaluation.resource().type(), id, json);
            }
        });
    }

    private static void entity(String type, String id, JsonGenerator json) throws IOException {
        json.writeStringField("type", type);
        json.writeStringField("id", id);
    }

    private static void write(String name, SortedSet<String> values, JsonGenerator json) throws IOException {
        if (!values.isEmpty()) {
            ResponseDocument.strings(name, List.copyOf(values), json);
        }
    }
}
