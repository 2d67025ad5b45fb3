package io.plat.tests.apiserver;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/** Authentication of an etcd, by its gRPC calls with fields by number. */
final class EtcdUsers {
    private static final int READ_AND_WRITE = 2;

    private EtcdUsers() {}

    /** Enables it with one user in addition to root, who may do everything below {@code /registry}; users are the common names of clients. */
    static void enable(EtcdServer etcd, TestPki pki, String user) throws IOException {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        "localhost", URI.create(etcd.url()).getPort())
                .sslContext(GrpcSslContexts.forClient()
                        .trustManager(pki.directory().resolve("ca.crt").toFile())
                        .keyManager(
                                pki.directory().resolve(user + ".crt").toFile(),
                                pki.directory().resolve(user + ".key").toFile())
                        .build())
                .build();
        try {
            for (String name : new String[] {"root", user}) {
                call(channel, "UserAdd", text(1, name).addField(2, bytes("password")));
                call(channel, "RoleAdd", text(1, name));
                call(channel, "UserGrantRole", text(1, name).addField(2, bytes(name)));
            }
            UnknownFieldSet permission = text(2, "/registry")
                    .addField(1, Field.newBuilder().addVarint(READ_AND_WRITE).build())
                    .addField(3, bytes("/registry0"))
                    .build();
            call(
                    channel,
                    "RoleGrantPermission",
                    text(1, user)
                            .addField(
                                    2,
                                    Field.newBuilder()
                                            .addLengthDelimited(permission.toByteString())
                                            .build()));
            call(channel, "AuthEnable", UnknownFieldSet.newBuilder());
        } finally {
            channel.shutdownNow();
        }
    }

    private static UnknownFieldSet.Builder text(int field, String text) {
        return UnknownFieldSet.newBuilder().addField(field, bytes(text));
    }

    private static Field bytes(String text) {
        return Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8(text))
                .build();
    }

    private static void call(ManagedChannel channel, String name, UnknownFieldSet.Builder message) {
        var marshaller = ProtoUtils.marshaller(Empty.getDefaultInstance());
        var method = MethodDescriptor.newBuilder(marshaller, marshaller)
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("etcdserverpb.Auth/" + name)
                .build();
        var _ = ClientCalls.blockingUnaryCall(
                channel,
                method,
                CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS),
                Empty.newBuilder().setUnknownFields(message.build()).build());
    }
}
