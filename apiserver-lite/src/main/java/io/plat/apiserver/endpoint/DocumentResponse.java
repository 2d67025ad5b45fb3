package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.HashedDocument;
import io.plat.apiserver.operations.OperationBody;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.http.page.PageFile;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Map;

/** Response with a document other than a stored object, in the form that the client prefers. */
record DocumentResponse(Call call, TypeMeta type, Representation form) {
    /**
     * Negotiates the form of a response.
     *
     * @param type type of the document; {@link TypeMeta#UNKNOWN} for one without a kind
     * @throws StatusException 406 if no form is acceptable
     */
    static DocumentResponse to(Call call, TypeMeta type) throws StatusException {
        return new DocumentResponse(call, type, Negotiation.document(Preferences.of(call.incoming()), type));
    }

    /**
     * Creates the response.
     *
     * @throws StatusException if it cannot be encoded in that form
     */
    ApiResponse of(int code, byte[] document) throws StatusException {
        // Documents without a kind, such as the version or a schema, are not in kube-apiserver's audit events either.
        if (!type.equals(TypeMeta.UNKNOWN)) {
            call.audit(record -> record.responseObject(document.length, out -> out.write(document)));
        }
        return new ApiResponse(code, form.contentType(), Map.of(), Body.of(form.document(type, document)));
    }

    /** Creates the response with a document that is retained anyway, so that its memory is not charged. */
    ApiResponse shared(byte[] document) throws StatusException {
        ApiResponse answer = of(200, document);
        boolean same = answer.body().bytes() == document;
        return same ? new ApiResponse(200, form.contentType(), Map.of(), Body.shared(document)) : answer;
    }

    ApiResponse of(int code, JsonNode document) throws StatusException {
        return of(code, Json.bytes(document));
    }

    /** Reader of the bodies of requests that create virtual objects. */
    @FunctionalInterface
    interface BodyReader {
        OperationBody read(Call call, ResourceType type) throws StatusException;
    }

    @FunctionalInterface
    interface Review {
        byte[] answer(OperationBody sent) throws StatusException;
    }

    static ApiResponse created(Call call, BodyReader bodies, ResourceType type, Review review) throws StatusException {
        DocumentResponse answer = to(call, new TypeMeta(type.apiVersion(), type.kind()));
        return answer.of(201, review.answer(bodies.read(call, type)));
    }

    static ObjectNode empty(TypeMeta type) {
        return Json.object().put("kind", type.kind()).put("apiVersion", type.apiVersion());
    }

    @FunctionalInterface
    interface ResponseSupplier {
        ApiResponse answer() throws StatusException;
    }

    /** Returns a response tagged by a hash of its body, or 304 if the client has the same. */
    static ApiResponse tagged(Call call, ApiResponse full) throws StatusException {
        return tagged(call, HashedDocument.of(full.body().bytes()).hash(), () -> full);
    }

    /** Returns a response with the tag of its document, which depends on the Accept header, or 304 if the client has the same. */
    static ApiResponse tagged(Call call, String hash, ResponseSupplier full) throws StatusException {
        ApiResponse response = PageFile.isKnown(hash, call.incoming().header("If-None-Match"))
                ? ApiResponse.text(304, ApiResponse.JSON, "")
                : full.answer();
        return response.with("ETag", List.of('"' + hash + '"')).with("Vary", List.of("Accept"));
    }
}
