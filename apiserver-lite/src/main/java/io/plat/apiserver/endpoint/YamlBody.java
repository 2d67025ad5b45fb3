package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.tree.ProgramData;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.json.JsonFactories;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.Sequence;
import io.plat.review.source.SourceReader;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Conversion of YAML bodies to JSON. Aliases count as often as they are expanded, so that a short text cannot become a huge object. */
final class YamlBody {
    private static final JsonFactory JSON = JsonFactories.create();
    private static final List<String[]> MESSAGES = ProgramData.lines(YamlBody.class, "yaml-messages.txt")
            .map(line -> line.replace("\\n", "\n").split(" => ", 2))
            .toList();

    private final ByteArrayOutputStream json = new ByteArrayOutputStream();
    private final int limit;

    private YamlBody(int limit) {
        this.limit = limit;
    }

    /**
     * Converts the only document of a body to JSON; JSON {@code null} if there is none.
     *
     * @param limit maximum size of the JSON, in bytes
     * @throws StatusException 400 if it is malformed or has several documents, 413 if it is too large
     */
    static byte[] toJson(byte[] body, int limit) throws StatusException {
        RequestMemory.current().hold(TreeSize.ofYaml(body));
        YamlBody converted = new YamlBody(limit);
        List<SourceNode> documents = documents(body);
        if (documents.size() > 1) {
            throw unrecognized("found " + documents.size() + " documents, expected one");
        }
        try (JsonGenerator out = JSON.createGenerator(converted.json)) {
            if (documents.isEmpty()) {
                out.writeNull();
            } else {
                converted.write(documents.getFirst(), out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return converted.json.toByteArray();
    }

    private static List<SourceNode> documents(byte[] body) throws StatusException {
        try {
            return SourceReader.readYaml("line", body);
        } catch (ProblemsException e) {
            throw unrecognized(kubernetesMessage(e.problems().getFirst().toString()));
        }
    }

    /** Returns a problem in the wording of kube-apiserver's YAML parser, if it has the same one. */
    private static String kubernetesMessage(String problem) {
        String message = problem;
        for (String[] wording : MESSAGES) {
            message = message.replaceFirst(wording[0], wording[1]);
        }
        return message;
    }

    private void write(SourceNode node, JsonGenerator out) throws IOException, StatusException {
        // Checked before each value, even an empty one: an alias may expand to anything.
        if (json.size() > limit) {
            throw new StatusException(
                    StatusReason.REQUEST_ENTITY_TOO_LARGE, "request body is too large: limit is " + limit + " bytes");
        }
        switch (node) {
            case Mapping mapping -> {
                out.writeStartObject();
                // Sorted, as kube-apiserver's conversion does: unknown fields are reported in this order.
                for (Map.Entry<String, SourceNode> field : new TreeMap<>(mapping.fields()).entrySet()) {
                    out.writeFieldName(field.getKey());
                    write(field.getValue(), out);
                }
                out.writeEndObject();
            }
            case Sequence sequence -> {
                out.writeStartArray();
                for (SourceNode item : sequence.items()) {
                    write(item, out);
                }
                out.writeEndArray();
            }
            case Scalar scalar -> write(scalar, out);
        }
    }

    private static void write(Scalar scalar, JsonGenerator out) throws IOException, StatusException {
        switch (scalar.type()) {
            case STRING -> out.writeString(scalar.text());
            case INTEGER, FLOAT -> out.writeNumber(number(scalar));
            case BOOLEAN -> out.writeBoolean(scalar.text().equals("true"));
            case NULL -> out.writeNull();
        }
    }

    /** Converts a number; JSON has neither infinity nor a leading or trailing decimal point. */
    private static BigDecimal number(Scalar scalar) throws StatusException {
        try {
            return new BigDecimal(scalar.text());
        } catch (NumberFormatException e) {
            throw unrecognized(scalar.where() + ": \"" + scalar.text() + "\" is not a JSON number");
        }
    }

    private static StatusException unrecognized(String problem) {
        return ApiErrors.badRequest("yaml: " + problem);
    }
}
