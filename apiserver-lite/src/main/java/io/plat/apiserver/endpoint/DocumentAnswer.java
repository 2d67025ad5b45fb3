package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.audit.Audited;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.OperationBody;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.StatusException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to a request for a document that is no stored object, in the form that the client prefers. */
final class DocumentAnswer {
    private static final JsonMapper MAPPER = new JsonMapper(JsonFactories.create());

    private final Call call;
    private final TypeMeta type;
    private final Representation form;

    private DocumentAnswer(Call call, TypeMeta type, Representation form) {
        this.call = call;
        this.type = type;
        this.form = form;
    }

    /**
     * The form of an answer that is still to be made.
     *
     * @param type what the document says it is; {@link TypeMeta#UNKNOWN} for one that says nothing
     * @throws StatusException 406 where the client accepts no form that it has
     */
    static DocumentAnswer to(Call call, TypeMeta type) throws StatusException {
        return new DocumentAnswer(call, type, Negotiation.document(Preferences.of(call.incoming()), type));
    }

    /**
     * The answer.
     *
     * @param document as JSON
     * @throws StatusException if it can't be shown in that form
     */
    Answer of(int code, byte[] document) throws StatusException {
        @Nullable Audited audited = call.audited();
        // What is no object by its own words, as a version or a schema, is in no event of the field either.
        if (audited != null && !type.equals(TypeMeta.UNKNOWN)) {
            audited.answered(document.length, out -> out.write(document));
        }
        return new Answer(code, form.contentType(), Map.of(), Body.of(form.document(type, document)));
    }

    /** The answer with a document that the server keeps in any case. */
    Answer shared(byte[] document) throws StatusException {
        Answer answer = of(200, document);
        boolean same = answer.body().bytes() == document;
        return same ? new Answer(200, form.contentType(), Map.of(), Body.shared(document)) : answer;
    }

    /** {@link #of(int, byte[])} for a tree. */
    Answer of(int code, JsonNode document) throws StatusException {
        return of(code, bytes(document));
    }

    /** Makes the answer to an object that was sent. */
    @FunctionalInterface
    interface Review {
        byte[] answer(OperationBody sent) throws StatusException;
    }

    /**
     * The answer to a request to create an object of a virtual type.
     *
     * @param type what is sent, and answered
     * @throws StatusException if there is none but a failure
     */
    static Answer created(Call call, OperationBodies bodies, ResourceType type, Review review) throws StatusException {
        DocumentAnswer answer = to(call, new TypeMeta(type.apiVersion(), type.kind()));
        return answer.of(201, review.answer(bodies.read(call, type)));
    }

    /** A tree as JSON. */
    static byte[] bytes(JsonNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a tree can be written", e);
        }
    }
}
