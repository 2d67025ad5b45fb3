package io.plat.apiserver;

import io.plat.apiserver.authentication.FrontProxyAuthenticator;
import io.plat.apiserver.authentication.TokenFileAuthenticator;
import io.plat.apiserver.authentication.account.IssuerDocuments;
import io.plat.apiserver.authentication.account.ServiceAccountTokenAuthenticator;
import io.plat.apiserver.authentication.account.StoredSigningKey;
import io.plat.apiserver.authentication.account.TokenIssuer;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.http.authentication.Authenticator;
import io.plat.http.authentication.AuthenticatorUnion;
import io.plat.http.authentication.BearerTokenAuthenticator;
import io.plat.http.authentication.ClientCertificateAuthenticator;
import io.plat.http.authentication.TokenAuthenticator;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.SigningKey;
import io.plat.http.authentication.jwt.VerificationKey;
import io.plat.http.authentication.oidc.OidcFlags;
import io.plat.http.commandline.FlagValues;
import io.plat.tls.ServerTls;
import io.plat.tls.files.WatchedFiles;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemKeys;
import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TrustBundle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Authentication of requests and tokens, and the issuer of service account tokens.
 *
 * @param credentialHeaders recognizes the names of header fields that carry credentials
 */
record Authenticators(
        Authenticator requests,
        Predicate<String> credentialHeaders,
        BearerTokenAuthenticator tokens,
        TokenIssuer issuer,
        Optional<IssuerDocuments> documents) {
    /** Opens everything that the flags name; returns null, or an incomplete union, after reporting problems. */
    static @Nullable Authenticators open(ApiServerParts with, @Nullable ServerTls tls, @Nullable ObjectStore store) {
        // All are opened, even after a failure, so that all problems are reported together.
        AccountFlags.Settings accounts = with.flags.accounts.settings(with.values);
        @Nullable SigningKey signing = signingKey(with, store);
        List<VerificationKey> keys = verificationKeys(with);
        List<Authenticator> members = new ArrayList<>();
        if (tls != null) {
            with.flags
                    .frontProxies
                    .settings(with.values)
                    .ifPresent(proxies -> openProxies(with, tls, proxies, members));
        }
        List<TokenAuthenticator> kinds = new ArrayList<>();
        with.values.get(with.flags.tokenFile).ifPresent(file -> openTokenFile(with, file, kinds));
        // An unreachable issuer is not a start-up problem.
        with.flags
                .oidc
                .settings(with.values)
                .map(issuer -> OidcFlags.open(issuer, accounts.audiences(), with.opened, with.problems))
                .ifPresent(kinds::add);
        if (signing == null || tls == null || store == null) {
            return null;
        }
        keys.addFirst(signing.verification());
        KeySet all = new KeySet(keys);
        kinds.add(new ServiceAccountTokenAuthenticator(
                new ServiceAccountTokenAuthenticator.Trust(accounts.issuers(), all), store, ApiServerParts.CLOCK));
        BearerTokenAuthenticator tokens = new BearerTokenAuthenticator(kinds, accounts.audiences());
        if (with.values.get(with.flags.clientAuthorities).isPresent()) {
            members.add(new ClientCertificateAuthenticator(tls.clientVerifier()));
        }
        members.add(tokens);
        String issuer = accounts.issuers().getFirst();
        var settings = new TokenIssuer.Settings(
                issuer, accounts.audiences(), accounts.maxExpiration().toSeconds());
        return new Authenticators(
                new AuthenticatorUnion(members, with.values.get(with.flags.anonymous)),
                with.flags.frontProxies.credentialHeaders(with.values),
                tokens,
                new TokenIssuer(
                        settings,
                        signing,
                        ApiServerParts.CLOCK,
                        () -> UUID.randomUUID().toString()),
                IssuerDocuments.of(issuer, accounts.keysUrl(), all));
    }

    static List<String> kinds(ApiServerFlags flags, FlagValues values) {
        return Stream.of(
                        values.get(flags.clientAuthorities).map(file -> "client-certificate"),
                        flags.frontProxies.settings(values).map(proxies -> "front-proxy"),
                        values.get(flags.tokenFile).map(file -> "token"),
                        flags.oidc.settings(values).map(issuer -> "oidc-token"),
                        Optional.of("service-account-token"),
                        Optional.of("anonymous").filter(name -> values.get(flags.anonymous)))
                .flatMap(Optional::stream)
                .toList();
    }

    private static void openProxies(
            ApiServerParts with, ServerTls tls, FrontProxyFlags.Settings settings, List<Authenticator> into) {
        try {
            WatchedFiles<TrustBundle> authorities =
                    with.opened.with(TrustBundle.watch("requestheader-ca", settings.authorities()));
            // Checked again for each proxy, as both files may change.
            if (settings.allowedNames().isEmpty()
                    && !Collections.disjoint(
                            authorities.get().certificates(),
                            tls.clientVerifier().trusted().certificates())) {
                with.problems.add(
                        "--requestheader-client-ca-file",
                        "has an authority of --client-ca-file, so each client could name any user:"
                                + " use a separate authority, or --requestheader-allowed-names");
            }
            into.add(new FrontProxyAuthenticator(
                    new CertificateVerifier(authorities, CertificateUsage.CLIENT, ApiServerParts.CLOCK),
                    tls.clientVerifier(),
                    settings.allowedNames(),
                    settings.headers()));
        } catch (PemException unusable) {
            with.problems.add("--requestheader-client-ca-file", String.valueOf(unusable.getMessage()));
        }
    }

    private static void openTokenFile(ApiServerParts with, Path file, List<TokenAuthenticator> into) {
        @Nullable
        TokenFileAuthenticator tokens = with.problems.open(
                "",
                () -> with.opened.with(TokenFileAuthenticator.open(
                        file,
                        with.flags.accounts.settings(with.values).audiences(),
                        with.flags.authorization.policy.watching(with.values),
                        used -> with.metrics.reloads("tokens", used).increment())));
        if (tokens != null) {
            into.add(tokens);
        }
    }

    /** Reads the signing key of service account tokens that a flag names, or the server's own key from the store. */
    private static @Nullable SigningKey signingKey(ApiServerParts with, @Nullable ObjectStore store) {
        Optional<Path> file = with.flags.accounts.settings(with.values).signingKey();
        if (file.isPresent()) {
            return read(
                    with,
                    "--service-account-signing-key-file",
                    file.get(),
                    source -> SigningKey.of(PemKeys.read(source)));
        }
        try {
            return store == null ? null : StoredSigningKey.open(store);
        } catch (StorageException e) {
            with.problems.add("the key of service accounts", String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Reads the additional keys that verify service account tokens. */
    private static List<VerificationKey> verificationKeys(ApiServerParts with) {
        List<VerificationKey> keys = new ArrayList<>();
        for (Path file : with.flags.accounts.settings(with.values).keys()) {
            @Nullable
            List<VerificationKey> read = read(
                    with,
                    "--service-account-key-file",
                    file,
                    source -> PemKeys.readPublic(source).stream()
                            .map(VerificationKey::of)
                            .toList());
            keys.addAll(read == null ? List.of() : read);
        }
        return keys;
    }

    /** Reader of keys; throws IllegalArgumentException for keys of unsupported types. */
    private interface KeyReader<T> {
        T read(PemSource source) throws PemException;
    }

    private static <T> @Nullable T read(ApiServerParts with, String flag, Path file, KeyReader<T> reader) {
        try {
            return reader.read(PemSource.file(file));
        } catch (PemException e) {
            with.problems.add(flag, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            with.problems.add(flag, file + ": " + e.getMessage());
        }
        return null;
    }
}
