@NullMarked
package io.plat.client.metrics;

import org.jspecify.annotations.NullMarked;
