package io.plat.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Protocols on the wire. */
final class ProtocolTest {
    private static final int ALERT = 21;
    private static final int PROTOCOL_VERSION = 70;
    private static final TestPki PKI = new TestPki();

    private static ServerTls server(ClientCertificates clients) throws Exception {
        return new ServerTls(
                new ServerTls.Config(
                        TestPki.chain(PKI.server),
                        TestPki.key(PKI.server),
                        TestPki.certificates(PKI.ca.certificate()),
                        clients),
                ReloadListener.none(),
                TestPki.CLOCK);
    }

    private static ClientTls client() throws Exception {
        return ClientTls.read(
                new ClientTls.Config(TestPki.certificates(PKI.ca.certificate()), null, null, null), TestPki.CLOCK);
    }

    @ParameterizedTest
    @CsvSource({"3, 0", "3, 1", "3, 2"})
    void oldProtocolVersionsReceiveAnAlert(int major, int minor) throws Exception {
        try (ServerTls server = server(ClientCertificates.REQUESTED);
                ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> served =
                    CompletableFuture.supplyAsync(() -> handshakeError(server, listening), Thread::startVirtualThread);
            try (Socket socket = new Socket(listening.getInetAddress(), listening.getLocalPort())) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream().write(clientHello(major, minor));
                byte[] answer = socket.getInputStream().readNBytes(7);

                assertThat(answer[0]).isEqualTo((byte) ALERT);
                assertThat(answer[6]).isEqualTo((byte) PROTOCOL_VERSION);
            }
            assertThat(served.get(20, TimeUnit.SECONDS)).isNotEmpty();
        }
    }

    private static String handshakeError(ServerTls server, ServerSocket listening) {
        try (Socket plain = listening.accept();
                SSLSocket socket =
                        (SSLSocket) server.context().getSocketFactory().createSocket(plain, null, true)) {
            socket.startHandshake();
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** The first message of a client that supports no newer version (RFC 4346 section 7.4.1.2). */
    private static byte[] clientHello(int major, int minor) throws IOException {
        ByteArrayOutputStream hello = new ByteArrayOutputStream();
        hello.write(major);
        hello.write(minor);
        hello.write(new byte[32]);
        hello.write(0);
        hello.write(new byte[] {0, 4, (byte) 0xc0, 0x09, 0x00, 0x2f});
        hello.write(new byte[] {1, 0});
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(record);
        out.write(new byte[] {22, 3, 1});
        out.writeShort(hello.size() + 4);
        out.writeInt((1 << 24) | hello.size());
        out.write(hello.toByteArray());
        return record.toByteArray();
    }

    @Test
    void enginesAreConfiguredBeforeTheirUserConfiguresThem() throws Exception {
        try (ServerTls required = server(ClientCertificates.REQUIRED);
                ServerTls requested = server(ClientCertificates.REQUESTED);
                ClientTls client = client()) {
            for (SSLEngine engine : List.of(
                    required.context().createSSLEngine(),
                    requested.context().createSSLEngine("localhost", 1),
                    client.context().createSSLEngine())) {
                assertThat(engine.getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.3", "TLSv1.2");
                assertThat(engine.getEnabledCipherSuites())
                        .isNotEmpty()
                        .allMatch(TlsRules::acceptable)
                        .anyMatch(s -> s.startsWith("TLS_ECDHE_"))
                        .anyMatch(s -> s.startsWith("TLS_AES_"));
            }
            assertThat(required.context().createSSLEngine().getNeedClientAuth()).isTrue();
            assertThat(requested.context().createSSLEngine().getWantClientAuth())
                    .isTrue();
        }
    }

    @Test
    void aContextReturnsCopiesOfItsDefaults() throws Exception {
        try (ServerTls server = server(ClientCertificates.REQUIRED)) {
            SSLParameters defaults = server.context().getDefaultSSLParameters();

            assertThat(defaults.getNeedClientAuth()).isTrue();
            assertThat(defaults.getProtocols()).containsExactly("TLSv1.3", "TLSv1.2");
            assertThat(Arrays.asList(
                            server.context().getSupportedSSLParameters().getProtocols()))
                    .containsExactly("TLSv1.3", "TLSv1.2");
            assertThat(server.context().getSocketFactory().getDefaultCipherSuites())
                    .allMatch(TlsRules::acceptable);
            assertThat(server.context().getSocketFactory().getSupportedCipherSuites())
                    .allMatch(TlsRules::acceptable);
        }
    }

    @Test
    void aContextCannotBeInitializedAgain() throws Exception {
        try (ServerTls server = server(ClientCertificates.REQUIRED)) {
            assertThatThrownBy(() -> server.context().init(null, null, null)).isInstanceOf(IllegalStateException.class);
            // It would use its first certificate forever.
            assertThatThrownBy(() -> server.context().getServerSocketFactory())
                    .isInstanceOf(UnsupportedOperationException.class);
            // Connections are only reused with the same socket factory.
            assertThat(server.context().getSocketFactory())
                    .isSameAs(server.context().getSocketFactory());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_AES_128_GCM_SHA256, true",
        "TLS_CHACHA20_POLY1305_SHA256, true",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, true",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, true",
        "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256, false",
        "TLS_RSA_WITH_AES_128_GCM_SHA256, false",
        "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256, false",
        "TLS_EMPTY_RENEGOTIATION_INFO_SCSV, false",
    })
    void suitesHaveForwardSecrecyAndAuthenticatedEncryption(String suite, boolean acceptable) {
        assertThat(TlsRules.acceptable(suite)).isEqualTo(acceptable);
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfKeyWorksOnBothSides(KeyKind kind) throws Exception {
        var serving = PKI.ca.issue(CertificateRequest.server("s", "localhost").withKey(kind));
        var identity = PKI.ca.issue(CertificateRequest.client("c").withKey(kind));
        var authority = TestPki.certificates(PKI.ca.certificate());
        try (ServerTls server = new ServerTls(
                        ServerTls.Config.requiring(TestPki.chain(serving), TestPki.key(serving), authority),
                        ReloadListener.none(),
                        TestPki.CLOCK);
                ClientTls client = ClientTls.read(
                        new ClientTls.Config(authority, TestPki.chain(identity), TestPki.key(identity), null),
                        TestPki.CLOCK)) {
            for (String protocol : TlsRules.PROTOCOLS) {
                Handshake.Outcome outcome = Handshake.run(
                        server, client.context(), "localhost", s -> s.setEnabledProtocols(new String[] {protocol}));

                assertThat(outcome.passed()).as("%s", outcome).isTrue();
                assertThat(outcome.server().protocol()).isEqualTo(protocol);
            }
        }
    }

    @Test
    void contextsAreForOneSideOnly() throws Exception {
        try (ServerTls server = server(ClientCertificates.REQUIRED);
                ClientTls client = client()) {
            // A server's context accepts no server when it is used to connect.
            assertThat(Handshake.run(server, server.context()).client().error()).contains("this context is a server's");
            assertThatThrownBy(() -> {
                        try (Socket socket = client.context().getSocketFactory().createSocket()) {
                            ((SSLSocket) socket).startHandshake();
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SSLException.class);
        }
    }

    @Test
    void configurationsAreValidated() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerTls.Config(
                        TestPki.chain(PKI.server), TestPki.key(PKI.server), null, ClientCertificates.REQUIRED));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClientTls.Config(null, TestPki.chain(PKI.client), null, null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClientTls.Config(null, null, TestPki.key(PKI.client), null));
    }

    @Test
    void aClientWithoutAuthoritiesUsesThoseOfTheRuntime() throws Exception {
        try (ServerTls server = server(ClientCertificates.REQUESTED);
                ClientTls client = ClientTls.read(new ClientTls.Config(null, null, null, null), TestPki.CLOCK)) {
            assertThat(client.certificates()).isNotEmpty();
            assertThat(Handshake.run(server, client.context()).client().error())
                    .contains("which is not a trusted authority");
        }
    }
}
