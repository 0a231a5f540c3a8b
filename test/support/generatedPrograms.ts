/*
 * Programs that use generated code: each logs in as USER_CODE, uploads FILE, and prints the URL that plays it. They read
 * BASE_URL, CLIENT_ID, CLIENT_SECRET, USER_CODE, USER_PASSWORD and FILE.
 */

const typescriptStart = `
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', USER_CODE = '', USER_PASSWORD = '', FILE = '' } = process.env;
const file = new Blob([readFileSync(FILE)]);
`;

export const typescriptFetchProgram = `${typescriptStart}
import { BoxApi, Configuration, TokensApi } from './generated';
const credentials = new Configuration({ basePath: BASE_URL, username: CLIENT_ID, password: CLIENT_SECRET });
const form = { grantType: 'password' as const, username: USER_CODE, password: USER_PASSWORD };
const { accessToken } = await new TokensApi(credentials).createToken(form);
const box = new BoxApi(new Configuration({ basePath: BASE_URL, accessToken: 'Bearer ' + accessToken }));
const { boxId } = await box.createBoxItem({ file, title: 'Film' });
let play = await box.playBoxItem({ boxId });
for (; play.result !== 'PLAY'; play = await box.playBoxItem({ boxId })) await sleep(300);
console.log(play.streamer);
`;

export const orvalProgram = `${typescriptStart}
import { createBoxItem, createToken, playBoxItem } from './generated/client';
const authorization = 'Basic ' + btoa(CLIENT_ID + ':' + CLIENT_SECRET);
const form = { grant_type: 'password' as const, username: USER_CODE, password: USER_PASSWORD };
const token = await createToken(form, { headers: { authorization } });
if (token.status !== 200) throw new Error(JSON.stringify(token));
const options = { headers: { authorization: 'Bearer ' + token.data.access_token } };
const item = await createBoxItem({ file, title: 'Film' }, options);
if (item.status !== 201) throw new Error(JSON.stringify(item));
for (;;) {
  const play = await playBoxItem(item.data.boxId, options);
  if (play.status !== 200) throw new Error(JSON.stringify(play));
  if (play.data.result === 'PLAY') {
    console.log(play.data.streamer);
    break;
  }
  await sleep(300);
}
`;

export const heyApiProgram = `${typescriptStart}
import { createBoxItem, createToken, playBoxItem } from './generated';
import { client } from './generated/client.gen';
client.setConfig({ baseUrl: BASE_URL, auth: ({ scheme }) => (scheme === 'basic' ? CLIENT_ID + ':' + CLIENT_SECRET : undefined) });
const form = { grant_type: 'password' as const, username: USER_CODE, password: USER_PASSWORD };
const { data: token } = await createToken({ body: form, throwOnError: true });
client.setConfig({ auth: token.access_token });
const { data: item } = await createBoxItem({ body: { file, title: 'Film' }, throwOnError: true });
for (;;) {
  const { data: play } = await playBoxItem({ path: { boxId: item.boxId }, throwOnError: true });
  if (play.result === 'PLAY') {
    console.log(play.streamer);
    break;
  }
  await sleep(300);
}
`;

export const openapiGeneratorPythonProgram = `
import os, time
import openapi_client as generated
env = os.environ
credentials = generated.Configuration(host=env['BASE_URL'], username=env['CLIENT_ID'], password=env['CLIENT_SECRET'])
tokens = generated.TokensApi(generated.ApiClient(credentials))
token = tokens.create_token('password', username=env['USER_CODE'], password=env['USER_PASSWORD'])
user = generated.Configuration(host=env['BASE_URL'], access_token=token.access_token)
box = generated.BoxApi(generated.ApiClient(user))
item = box.create_box_item(file=env['FILE'], title='Film')
while (play := box.play_box_item(item.box_id)).result != 'PLAY':
    time.sleep(0.3)
print(play.streamer)
`;

export const openapiPythonClientProgram = `
import base64, os, time
from video_platform_client import AuthenticatedClient, Client
from video_platform_client.api.box import create_box_item, play_box_item
from video_platform_client.api.tokens import create_token
from video_platform_client.models import CreateBoxItemBody, CreateTokenBody, CreateTokenBodyGrantType
from video_platform_client.types import File
env = os.environ
basic = base64.b64encode(f"{env['CLIENT_ID']}:{env['CLIENT_SECRET']}".encode()).decode()
credentials = AuthenticatedClient(base_url=env['BASE_URL'], token=basic, prefix='Basic')
form = CreateTokenBody(grant_type=CreateTokenBodyGrantType.PASSWORD, username=env['USER_CODE'], password=env['USER_PASSWORD'])
token = create_token.sync(client=credentials, body=form)
user = AuthenticatedClient(base_url=env['BASE_URL'], token=token.access_token)
with open(env['FILE'], 'rb') as film:
    body = CreateBoxItemBody(file=File(payload=film, file_name='film.mp4'), title='Film')
    item = create_box_item.sync(client=user, body=body)
while (play := play_box_item.sync(item.box_id, client=user)).result != 'PLAY':
    time.sleep(0.3)
print(play.streamer)
`;

export const oapiCodegenProgram = `
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"time"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx, env := context.Background(), os.Getenv
	client := must(NewClientWithResponses(env("BASE_URL")))
	user, password := env("USER_CODE"), env("USER_PASSWORD")
	form := CreateTokenFormdataRequestBody{GrantType: "password", Username: &user, Password: &password}
	token := must(client.CreateTokenWithFormdataBodyWithResponse(ctx, form, func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(env("CLIENT_ID"), env("CLIENT_SECRET"))
		return nil
	}))
	asUser := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token.ApplicationjsonCharsetUTF8200.AccessToken)
		return nil
	}
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	writer.WriteField("title", "Film")
	io.Copy(must(writer.CreateFormFile("file", "film.mp4")), must(os.Open(env("FILE"))))
	writer.Close()
	item := must(client.CreateBoxItemWithBodyWithResponse(ctx, nil, writer.FormDataContentType(), &body, asUser))
	boxId := item.ApplicationjsonCharsetUTF8201.BoxId
	for {
		play := must(client.PlayBoxItemWithResponse(ctx, boxId, nil, asUser)).ApplicationjsonCharsetUTF8200
		if play.Result == "PLAY" {
			fmt.Println(play.Streamer)
			return
		}
		time.Sleep(300 * time.Millisecond)
	}
}
`;
