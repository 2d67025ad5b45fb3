package io.plat.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeTlsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            error:10000412:SSL routines:OPENSSL_internal:SSLV3_ALERT_BAD_CERTIFICATE (x.cc:1 0x0:0x0) | Received fatal alert: bad_certificate
            error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED (x.cc:1)    | Received fatal alert: certificate_required
            error:10000418:SSL routines:OPENSSL_internal:TLSV1_ALERT_UNKNOWN_CA (x.cc:1)              | Received fatal alert: unknown_ca
            Received fatal alert: bad_certificate                                                     | Received fatal alert: bad_certificate
            (unknown_ca) Received fatal alert: unknown_ca                                             | Received fatal alert: unknown_ca
            the certificate is for 'localhost'                                                        | the certificate is for 'localhost'
            """)
    void alertsHaveTheJdkNames(String message, String words) {
        assertThat(NativeTls.jdkMessage(message)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({"EC,true", "RSA,true", "EdDSA,false", "Ed25519,false"})
    void otherKeyTypesUseTheJdk(String algorithm, boolean signs) {
        assertThat(NativeTls.signsWith(algorithm)).isEqualTo(signs);
    }

    @Test
    void jdkTlsIsTheDefault() {
        Provider[] before = Security.getProviders();
        NativeTls.prefer();
        assertThat(NativeTls.fallBackToJdk())
                .as("the JDK's TLS is in use already")
                .isFalse();
        assertThat(Arrays.equals(Security.getProviders(), before)).isTrue();
    }
}
