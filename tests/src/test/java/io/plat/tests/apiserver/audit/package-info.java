/** What a server records of its requests, as those see it who read the log or run the webhook. */
@NullMarked
package io.plat.tests.apiserver.audit;

import org.jspecify.annotations.NullMarked;
