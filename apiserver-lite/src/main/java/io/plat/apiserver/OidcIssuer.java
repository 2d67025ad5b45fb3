package io.plat.apiserver;

import io.plat.apiserver.authentication.oidc.FetchedKeys;
import io.plat.apiserver.authentication.oidc.IssuerKeys;
import io.plat.apiserver.authentication.oidc.KeyFile;
import io.plat.apiserver.authentication.oidc.TlsKeySource;
import io.plat.apiserver.authentication.oidc.UnusableKeysException;
import io.plat.http.process.Opened;
import io.plat.http.process.StartException;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.time.InstantSource;
import java.util.Optional;

/** Opens the keys of an OpenID Connect issuer as the flags say. That it can't be reached is no problem of the start. */
final class OidcIssuer {
    private OidcIssuer() {}

    static Optional<IssuerKeys> open(
            OidcFlags.Settings settings, Opened opened, StartException.Collector problems, InstantSource clock) {
        try {
            if (settings.keys().isPresent()) {
                return Optional.of(opened.with(KeyFile.open(settings.keys().get())));
            }
            ClientTls tls = opened.with(ClientTls.read(
                    new ClientTls.Config(
                            settings.authorities().map(PemSource::file).orElse(null), null, null, null),
                    clock));
            TlsKeySource source = opened.with(new TlsKeySource(settings.rules().issuer(), tls.context()));
            return Optional.of(opened.with(FetchedKeys.start(source, FetchedKeys.Pace.STANDARD, System::nanoTime)));
        } catch (UnusableKeysException e) {
            problems.add("--oidc-jwks-file", String.valueOf(e.getMessage()));
        } catch (PemException e) {
            problems.add("--oidc-ca-file", String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }
}
