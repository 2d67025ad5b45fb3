package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.audit.Audited;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.Result;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.UnenforcedTypes;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers that are made of what an operation on objects came to: in the form that was asked for, with warnings, and recorded. */
final class ResultAnswers {
    private static final Set<String> WRITES = Set.of("create", "update", "patch");

    private ResultAnswers() {}

    /**
     * An answer.
     *
     * @param type the type whose path was asked
     * @param form how the client wants it
     */
    static Answer of(Call call, ResourceType type, Representation form, Result result) throws StatusException {
        @Nullable Audited audited = call.audited();
        if (audited != null && result instanceof Result.Deleted deleted) {
            audited.succeeded(
                    new Details(deleted.name(), deleted.group(), deleted.resource(), deleted.uid(), List.of(), 0));
        }
        if (audited != null && audited.wantsAnswer()) {
            Body plain = answer(Negotiation.plain(), result).body();
            audited.answered(plain.size(), plain::writeTo);
        }
        return advised(call, type, result, answer(form, result));
    }

    /** Adds the warning of a deprecated version, and those about what has no effect on this server. */
    private static Answer advised(Call call, ResourceType type, Result result, Answer answer) {
        List<String> warnings = new ArrayList<>();
        if (type.form() != null) {
            type.form().warning().ifPresent(warnings::add);
        }
        if (result instanceof Result.One one && writesWhole(call)) {
            warnings.addAll(UnenforcedTypes.warnings(one.object().type(), one.object()::tree));
        }
        if (warnings.isEmpty()) {
            return answer;
        }
        List<String> all = new ArrayList<>(WarningHeader.values(warnings));
        all.addAll(answer.headers().getOrDefault(WarningHeader.NAME, List.of()));
        return answer.with(WarningHeader.NAME, all);
    }

    private static boolean writesWhole(Call call) {
        return call.info().access() instanceof ResourceAttributes access
                && access.subresource().isEmpty()
                && WRITES.contains(access.verb());
    }

    private static Answer answer(Representation form, Result result) throws StatusException {
        return switch (result) {
            case Result.One one -> warned(answer(form, one.code(), Body.of(form.object(one.object()))), one.warnings());
            case Result.Many many -> answer(form, many.code(), form.list(many.list()));
            case Result.Deleted deleted ->
                answer(
                        form,
                        deleted.code(),
                        Body.of(form.document(Representation.STATUS, DocumentAnswer.bytes(gone(deleted)))));
        };
    }

    /** A Status of success. */
    static ObjectNode success() {
        ObjectNode status =
                JsonNodeFactory.instance.objectNode().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success");
    }

    private static ObjectNode gone(Result.Deleted deleted) {
        ObjectNode status = success();
        ObjectNode details = status.putObject("details").put("name", deleted.name());
        if (!deleted.group().isEmpty()) {
            details.put("group", deleted.group());
        }
        details.put("kind", deleted.resource()).put("uid", deleted.uid());
        return status;
    }

    private static Answer answer(Representation form, int code, Body body) {
        return new Answer(code, form.contentType(), Map.of(), body);
    }

    private static Answer warned(Answer answer, List<String> warnings) {
        return warnings.isEmpty() ? answer : answer.with(WarningHeader.NAME, WarningHeader.values(warnings));
    }
}
