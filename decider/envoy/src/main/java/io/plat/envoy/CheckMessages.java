package io.plat.envoy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.rpc.Code;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.service.auth.v3.AttributeContext.HttpRequest;
import io.envoyproxy.envoy.service.auth.v3.CheckRequest;
import io.envoyproxy.envoy.service.auth.v3.CheckResponse;
import io.envoyproxy.envoy.service.auth.v3.DeniedHttpResponse;
import io.envoyproxy.envoy.service.auth.v3.OkHttpResponse;
import io.envoyproxy.envoy.type.v3.HttpStatus;
import io.plat.fronts.check.ProxiedRequest;
import io.plat.fronts.check.RequestFields;
import io.plat.http.authentication.Credentials;
import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import io.plat.review.status.StatusReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Conversion of Envoy's messages. */
final class CheckMessages {
    /** Parser that drops unknown fields, as each would be an object. */
    private static final Parser<CheckRequest> PARSER = DiscardUnknownFieldsParser.wrap(CheckRequest.parser());

    private CheckMessages() {}

    /** Loads all message classes that a call needs. */
    static void loadClasses() throws InvalidProtocolBufferException {
        HttpRequest request = HttpRequest.newBuilder().putHeaders(":path", "/").build();
        CheckRequest.Builder check = CheckRequest.newBuilder();
        check.getAttributesBuilder().getRequestBuilder().setHttp(request);
        read(ByteBuffer.wrap(check.build().toByteArray()));
        Answer answer = new Answer("reason", "id", "revision");
        var _ = answer.allowed(Map.of("x", "y")).toByteArray();
        var _ = answer.denied(Status.of(StatusReason.FORBIDDEN, "denied"), Map.of("x", "y"))
                .toByteArray();
    }

    /**
     * Decodes the proxied request.
     *
     * @throws InvalidProtocolBufferException if the bytes are malformed, or do not describe an HTTP request
     */
    static ProxiedRequest read(ByteBuffer message) throws InvalidProtocolBufferException {
        CheckRequest check = PARSER.parseFrom(message);
        if (!check.getAttributes().getRequest().hasHttp()) {
            throw new InvalidProtocolBufferException("no HTTP request");
        }
        HttpRequest request = check.getAttributes().getRequest().getHttp();
        Fields fields = new Fields(request);
        return new ProxiedRequest(
                fields.pseudo(":method", request.getMethod()), fields.pseudo(":path", request.getPath()), fields);
    }

    /** Header fields of a request: separate values if Envoy encodes raw headers, else the values of a name joined with commas. */
    private record Fields(HttpRequest request) implements Credentials {
        @Override
        public List<String> headers(String name) {
            List<String> values = new ArrayList<>(1);
            if (request.hasHeaderMap()) {
                for (HeaderValue field : request.getHeaderMap().getHeadersList()) {
                    if (field.getKey().equalsIgnoreCase(name)) {
                        ByteString raw = field.getRawValue();
                        values.add(raw.isEmpty() ? field.getValue() : RequestFields.utf8(raw.asReadOnlyByteBuffer()));
                    }
                }
            } else {
                request.getHeadersMap().forEach((key, value) -> {
                    if (key.equalsIgnoreCase(name)) {
                        values.add(value);
                    }
                });
            }
            return values;
        }

        /** Returns a pseudo-header field as it was sent, if it is known: in other text, Envoy replaces bytes that are not UTF-8. */
        String pseudo(String name, String text) {
            List<String> sent = headers(name);
            return sent.isEmpty() ? text : sent.getFirst();
        }

        @Override
        public Collection<String> headerNames() {
            return request.hasHeaderMap()
                    ? request.getHeaderMap().getHeadersList().stream()
                            .map(HeaderValue::getKey)
                            .toList()
                    : request.getHeadersMap().keySet();
        }
    }

    /**
     * Contents of a response in addition to the decision.
     *
     * @param reason the reason, or {@code ""}
     * @param id the id of the decision
     */
    record Answer(String reason, String id, String revision) {
        /** Returns the response that allows the request, with header fields that replace the client's. */
        CheckResponse allowed(Map<String, String> headers) {
            OkHttpResponse.Builder passed = OkHttpResponse.newBuilder();
            headers.forEach((name, value) -> passed.addHeaders(header(name, value)));
            return response(Code.OK, "").setOkResponse(passed).build();
        }

        /** Returns the response that makes the proxy send a Status with header fields. */
        CheckResponse denied(Status status, Map<String, String> headers) {
            DeniedHttpResponse.Builder denied = DeniedHttpResponse.newBuilder()
                    .setStatus(HttpStatus.newBuilder().setCodeValue(status.code()))
                    .setBody(new String(StatusCodec.encode(status), StandardCharsets.UTF_8))
                    .addHeaders(header("content-type", "application/json"));
            headers.forEach((name, value) -> denied.addHeaders(header(name, value)));
            return response(Code.PERMISSION_DENIED, status.message())
                    .setDeniedResponse(denied)
                    .build();
        }

        private CheckResponse.Builder response(Code code, String message) {
            Struct.Builder metadata = Struct.newBuilder();
            put(metadata, "reason", reason);
            put(metadata, "decision_id", id);
            put(metadata, "policy_revision", revision);
            return CheckResponse.newBuilder()
                    .setStatus(com.google.rpc.Status.newBuilder()
                            .setCode(code.getNumber())
                            .setMessage(message))
                    .setDynamicMetadata(metadata);
        }

        private static void put(Struct.Builder metadata, String name, String value) {
            metadata.putFields(name, Value.newBuilder().setStringValue(value).build());
        }

        private static HeaderValueOption header(String name, String value) {
            return HeaderValueOption.newBuilder()
                    .setHeader(HeaderValue.newBuilder().setKey(name).setValue(value))
                    .setAppendAction(HeaderValueOption.HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD)
                    .build();
        }
    }
}
