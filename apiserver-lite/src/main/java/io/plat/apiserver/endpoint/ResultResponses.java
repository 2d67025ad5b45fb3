package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.audit.AuditRecord;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.Result;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.rules.Rules;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Responses with the results of operations: in the negotiated form, with warnings, and audited. */
final class ResultResponses {
    private static final Set<String> WRITES = Set.of("create", "update", "patch");

    private ResultResponses() {}

    static ApiResponse of(Call call, Representation form, Result result) throws StatusException {
        @Nullable AuditRecord auditRecord = call.auditRecord();
        if (auditRecord != null && result instanceof Result.Deleted deleted) {
            auditRecord.succeeded(
                    new Details(deleted.name(), deleted.group(), deleted.resource(), deleted.uid(), List.of(), 0));
        }
        if (auditRecord != null && auditRecord.wantsResponse()) {
            Body plain = answer(Negotiation.plain(), result).body();
            auditRecord.responseObject(plain.size(), plain::writeTo);
        }
        if (result instanceof Result.One one) {
            one.warnings().forEach(call::warn);
            if (writesWhole(call)) {
                Rules.unenforced(one.object().type().storage(), one.object()::tree)
                        .forEach(call::warn);
            }
        }
        return answer(form, result);
    }

    private static boolean writesWhole(Call call) {
        return call.info().access() instanceof ResourceAttributes access
                && access.subresource().isEmpty()
                && WRITES.contains(access.verb());
    }

    private static ApiResponse answer(Representation form, Result result) throws StatusException {
        return switch (result) {
            case Result.One one ->
                answer(form, one.code(), Body.pinning(one.object()::storedSize, form.answer(one.object())));
            case Result.Many many ->
                answer(form, many.code(), Body.pinning(many.list()::storedSize, form.list(many.list())));
            case Result.Deleted deleted ->
                answer(
                        form,
                        deleted.code(),
                        Body.of(form.document(Representation.STATUS, DocumentResponse.bytes(deletedStatus(deleted)))));
        };
    }

    static ObjectNode success() {
        ObjectNode status =
                JsonNodeFactory.instance.objectNode().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success");
    }

    private static ObjectNode deletedStatus(Result.Deleted deleted) {
        ObjectNode status = success();
        ObjectNode details = status.putObject("details").put("name", deleted.name());
        if (!deleted.group().isEmpty()) {
            details.put("group", deleted.group());
        }
        details.put("kind", deleted.resource()).put("uid", deleted.uid());
        return status;
    }

    private static ApiResponse answer(Representation form, int code, Body body) {
        return new ApiResponse(code, form.contentType(), Map.of(), body);
    }
}
