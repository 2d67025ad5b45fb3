package io.plat.apiserver.authentication;

import io.plat.review.NameRule;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Optional;

/** Service account name (specification, "Naming rules"). */
public record AccountName(String namespace, String name) {
    /** Returns the service account of a user name; empty if the name is not that of a service account. */
    public static Optional<AccountName> ofUser(String user) {
        if (!user.startsWith(UserInfo.SERVICE_ACCOUNT_USER)) {
            return Optional.empty();
        }
        String[] names = user.substring(UserInfo.SERVICE_ACCOUNT_USER.length()).split(":", -1);
        return names.length == 2
                        && NameRule.LABEL.problems(names[0]).isEmpty()
                        && NameRule.SUBDOMAIN.problems(names[1]).isEmpty()
                ? Optional.of(new AccountName(names[0], names[1]))
                : Optional.empty();
    }

    public String user() {
        return UserInfo.serviceAccountUser(namespace, name);
    }

    /** Returns its groups, except that of all authenticated users. */
    public List<String> groups() {
        return List.of(UserInfo.SERVICE_ACCOUNTS, UserInfo.serviceAccountsOf(namespace));
    }
}
