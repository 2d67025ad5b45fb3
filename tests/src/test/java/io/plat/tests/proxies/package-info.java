/** Decisions for reverse proxies: the check itself, and the real proxies by the configurations of {@code conf}. */
@NullMarked
package io.plat.tests.proxies;

import org.jspecify.annotations.NullMarked;
