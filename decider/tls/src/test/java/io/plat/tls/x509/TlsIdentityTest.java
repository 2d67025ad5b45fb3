package io.plat.tls.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class TlsIdentityTest {
    private static final CertificateAuthority CA =
            CertificateAuthority.create("ca", Duration.ofDays(10), InstantSource.system());

    private static TlsIdentity identity(KeyKind kind) {
        return CA.issue(CertificateRequest.client("jane").withKey(kind));
    }

    @ParameterizedTest
    @EnumSource
    void readsAMatchingPair(KeyKind kind) throws PemException {
        TlsIdentity identity = identity(kind);

        assertThat(TlsIdentity.read(certificates(identity), key(identity))).isEqualTo(identity);
    }

    @Test
    void readsBothFromOneSource() throws PemException {
        TlsIdentity identity = identity(KeyKind.EC_P256);
        PemSource both = source("both", PemText.privateKey(identity.key()) + PemText.certificates(identity.chain()));

        assertThat(TlsIdentity.read(both, both)).isEqualTo(identity);
    }

    static Stream<Arguments> pairs() {
        return Arrays.stream(KeyKind.values())
                .flatMap(a -> Arrays.stream(KeyKind.values()).map(b -> Arguments.of(a, b)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void refusesTheKeyOfAnother(KeyKind certified, KeyKind kept) {
        TlsIdentity one = identity(certified);
        TlsIdentity other = identity(kept);

        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> TlsIdentity.read(certificates(one), key(other)))
                .withMessage("key: the private key does not belong to the first certificate of certificates");
        assertThatIllegalArgumentException().isThrownBy(() -> new TlsIdentity(one.chain(), other.key()));
    }

    @Test
    void refusesAChainThatDoesNotBeginWithTheLeaf() {
        TlsIdentity identity = identity(KeyKind.EC_P256);
        PemSource reversed = source("certificates", PemText.certificates(List.of(CA.certificate(), identity.leaf())));

        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> TlsIdentity.read(reversed, key(identity)))
                .withMessage("key: the private key does not belong to the first certificate of certificates");
    }

    @Test
    void neverPrintsItsKey() {
        assertThat(identity(KeyKind.RSA_2048)).hasToString("TlsIdentity[CN=jane]");
    }

    @Test
    void requiresACertificate() {
        TlsIdentity identity = identity(KeyKind.EC_P256);

        assertThatIllegalArgumentException().isThrownBy(() -> new TlsIdentity(List.of(), identity.key()));
    }

    @Test
    void theRuntimeHasTrustedAuthorities() throws Exception {
        assertThat(TrustBundle.ofRuntime().certificates()).isNotEmpty();
    }

    private static PemSource certificates(TlsIdentity identity) {
        return source("certificates", PemText.certificates(identity.chain()));
    }

    private static PemSource key(TlsIdentity identity) {
        return source("key", PemText.privateKey(identity.key()));
    }

    private static PemSource source(String name, String text) {
        return PemSource.inline(name, text.getBytes(StandardCharsets.US_ASCII));
    }
}
