package io.plat.tests.envoy;

import io.envoyproxy.envoy.config.core.v3.HeaderMap;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.service.auth.v3.AttributeContext.HttpRequest;
import io.envoyproxy.envoy.service.auth.v3.AuthorizationGrpc;
import io.envoyproxy.envoy.service.auth.v3.AuthorizationGrpc.AuthorizationBlockingStub;
import io.envoyproxy.envoy.service.auth.v3.CheckRequest;
import io.envoyproxy.envoy.service.auth.v3.CheckResponse;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Calls through gRPC's own client, with the messages of Envoy. */
public final class EnvoyCalls implements AutoCloseable {
    private final ManagedChannel channel;

    EnvoyCalls(RunningServer decider, TestPki pki, String client) throws IOException {
        channel = NettyChannelBuilder.forAddress("localhost", decider.port())
                .sslContext(GrpcSslContexts.forClient()
                        .trustManager(pki.directory().resolve("ca.crt").toFile())
                        .keyManager(
                                pki.directory().resolve(client + ".crt").toFile(),
                                pki.directory().resolve(client + ".key").toFile())
                        .build())
                .build();
    }

    ManagedChannel channel() {
        return channel;
    }

    AuthorizationBlockingStub stub() {
        return AuthorizationGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    CheckResponse check(HttpRequest.Builder request) {
        return stub().check(message(request));
    }

    /** Returns the message for a request. */
    public static CheckRequest message(HttpRequest.Builder request) {
        CheckRequest.Builder message = CheckRequest.newBuilder();
        message.getAttributesBuilder().getRequestBuilder().setHttp(request);
        return message.build();
    }

    /** Returns a request as Envoy sends it, each header once. */
    public static HttpRequest.Builder request(String method, String path, List<String> fields) {
        HttpRequest.Builder request = described(method, path)
                .putHeaders(":method", method)
                .putHeaders(":path", path)
                .putHeaders(":authority", "shop.example.com")
                .putHeaders(":scheme", "https");
        fields.forEach(field -> request.putHeaders(name(field), value(field)));
        return request;
    }

    /** The same with {@code encode_raw_headers}. */
    static HttpRequest.Builder rawRequest(String method, String path, List<String> fields) {
        HeaderMap.Builder map =
                HeaderMap.newBuilder().addHeaders(raw(":method", method)).addHeaders(raw(":path", path));
        fields.forEach(field -> map.addHeaders(raw(name(field), value(field))));
        return described(method, path).setHeaderMap(map);
    }

    private static HttpRequest.Builder described(String method, String path) {
        return HttpRequest.newBuilder()
                .setId("7")
                .setMethod(method)
                .setPath(path)
                .setHost("shop.example.com")
                .setScheme("https")
                .setProtocol("HTTP/1.1");
    }

    private static HeaderValue raw(String name, String value) {
        return HeaderValue.newBuilder()
                .setKey(name)
                .setRawValue(com.google.protobuf.ByteString.copyFromUtf8(value))
                .build();
    }

    private static String name(String field) {
        return field.substring(0, field.indexOf('='));
    }

    private static String value(String field) {
        return field.substring(field.indexOf('=') + 1);
    }

    /** Action of Envoy on a response: it forwards the request, or sends this status. */
    static String outcome(CheckResponse response) {
        return response.getStatus().getCode() == 0
                ? "passes"
                : Integer.toString(response.getDeniedResponse().getStatus().getCodeValue());
    }

    /** Returns the headers that a response sets, one per line. */
    static String fields(List<HeaderValueOption> fields) {
        return fields.stream()
                .map(field ->
                        field.getHeader().getKey() + "=" + field.getHeader().getValue())
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
