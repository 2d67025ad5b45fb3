/** Decisions for reverse proxies: the check itself, and real proxies with the configurations in {@code conf}. */
@NullMarked
package io.plat.tests.proxies;

import org.jspecify.annotations.NullMarked;
