package io.plat.apiserver.etcd;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.plat.apiserver.storage.etcd.RemoteSettings;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Members of a cluster; one is used until it fails, then the next one. */
final class EtcdMembers implements AutoCloseable {
    /** Longer than the interval at which members treat pings as an attack (5 s, their {@code --grpc-keepalive-min-time}). */
    private static final int PING_SECONDS = 10;

    private static final int PONG_SECONDS = 4;
    /** Maximum size of a message: a page of a list may contain hundreds of the largest objects. */
    private static final int MAX_MESSAGE_BYTES = 1 << 30;

    private final List<ManagedChannel> channels;
    private final AtomicInteger current = new AtomicInteger();

    private EtcdMembers(List<ManagedChannel> channels) {
        this.channels = channels;
    }

    static EtcdMembers open(RemoteSettings settings) {
        @Nullable SSLContext context = settings.tls();
        SslContext tls = context == null ? null : tls(context);
        return new EtcdMembers(settings.servers().stream()
                .map(server -> channel(server, server.getScheme().equals("https") ? tls : null))
                .toList());
    }

    private static ManagedChannel channel(URI server, @Nullable SslContext tls) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(server.getHost(), server.getPort())
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PONG_SECONDS, TimeUnit.SECONDS)
                .disableRetry()
                // Callbacks never block.
                .directExecutor();
        return (tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build();
    }

    /** Returns the server's own context, which verifies names and reloads its files, with the protocol of gRPC. */
    private static SslContext tls(SSLContext context) {
        return new JdkSslContext(
                context,
                true,
                Http2SecurityUtil.CIPHERS,
                SupportedCipherSuiteFilter.INSTANCE,
                new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2),
                ClientAuth.NONE,
                null,
                false);
    }

    int count() {
        return channels.size();
    }

    /** Returns the channel of the current member; an unreachable one is retried immediately, regardless of the library's backoff. */
    ManagedChannel current() {
        ManagedChannel channel = channels.get(Math.floorMod(current.get(), channels.size()));
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
        return channel;
    }

    /** Switches to another member after a failure, unless that has been done. */
    void failed(ManagedChannel channel) {
        int now = current.get();
        if (channels.get(Math.floorMod(now, channels.size())) == channel) {
            current.compareAndSet(now, now + 1);
        }
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
